import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type CommandDefinition, type CommandValues, defineCommand } from "../../../src/cli/settings/command.ts";
import { hasAllCases } from "../../support/cases/sample.ts";
import { createTestIo } from "../../support/cli/test-io.ts";
import { COMMANDS } from "../../../src/cli/commands/index.ts";
import { NO_COLLECTIONS } from "../../../verify/api-server/go.ts";
import { runPreflight } from "../../../verify/shared/preflight.ts";
import { nightly } from "../../support/cases/sample.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const FOLDER = join(ROOT, "src", "cli", "commands");
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");

/** Type-checks one file with the project's options and returns the error lines. */
function findErrorLines(t: TestContext, lines: readonly string[]): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), "preflight-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: { typeRoots: [join(ROOT, "node_modules", "@types")] },
    files: ["planted.mts"],
    include: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(folder, "planted.mts"), lines.join("\n"));
  const env = { ...process.env, ...NO_COLLECTIONS };
  const { stdout } = spawnSync(process.execPath, [TSC, "-p", folder, "--pretty", "false"], { encoding: "utf8", env });
  return [...stdout.matchAll(/^.*planted\.mts\((\d+),/gm)].map(([, line]) => Number(line));
}

/** To check what the others import takes three times as long. */
const SMALL = new Set(["compare", "crds"]);

test("a misspelled setting does not compile in any command", (t) => {
  const list = readFileSync(join(FOLDER, "index.ts"), "utf8");
  const modules = [...list.matchAll(/=> import\("(.*?)"\)/g)].map(([, module = ""]) => join(FOLDER, module));
  assert.equal(modules.length, COMMANDS.length, "each command has a line");
  const reads = COMMANDS.flatMap(({ name, settings }, i) => {
    if (!hasAllCases && !SMALL.has(name)) return [];
    const values = `Parameters<typeof import(${JSON.stringify(modules[i])}).run>[0]`;
    const [flag] = Object.keys(settings);
    if (flag === undefined) return [];
    return [`${values}[${JSON.stringify(flag)}]`, `${values}[${JSON.stringify(`${flag}-misspelt`)}]`];
  });
  const lines = reads.map((type, i) => `export type T${i} = ${type};`);
  const misspelt = lines.map((_, i) => i + 1).filter((line) => line % 2 === 0);
  assert.ok(lines.length >= (hasAllCases ? 20 : 2 * SMALL.size));
  assert.deepEqual(findErrorLines(t, lines), misspelt);
});

test(
  "a command that reads a setting it does not declare, or never ends with a code that it declares, does not compile",
  { skip: nightly },
  (t) => {
    const command = JSON.stringify(join(ROOT, "src", "cli", "settings", "command.ts"));
    const define = (read: string, code = "") =>
      `defineCommand({ name: "a", describe: "a", examples: [], settings: { to: { group: "output", describe: "a" } }, exitCodes: { 0: "a", 1: "b", 2: "c" ${code} }, process: "short" }, async () => ({ run: async (values: { ${read}: string | undefined }) => (values.${read} ? 1 : 0) }));`;
    const lines = [`import { defineCommand } from ${command};`, define("to"), define("too"), define("to", ', 3: "d"')];
    assert.deepEqual(findErrorLines(t, lines), [3, 4]);
  },
);

test("a command receives its settings' values with their types", async () => {
  const received: unknown[] = [];
  const definition = {
    name: "a",
    describe: "a",
    examples: [],
    settings: {
      wait: { group: "output", type: "duration", default: "1m", describe: "a" },
      names: { group: "output", type: "list", describe: "a" },
      kind: { group: "output", choices: ["one", "other"], default: "one", describe: "a" },
      absent: { group: "output", describe: "a" },
    },
    operand: { name: "word", describe: "a" },
    process: "short",
  } as const satisfies CommandDefinition;
  const run = async (values: CommandValues<typeof definition>) => {
    received.push(values);
    return 0 as const;
  };
  const command = defineCommand(definition, async () => ({ run }));
  await command.run({ wait: "1m30s", names: ["a,b", "c"], kind: "other", word: "w" }, createTestIo([]));
  assert.deepEqual(received, [{ wait: 90_000, names: ["a", "b", "c"], kind: "other", absent: undefined, word: "w" }]);
});

test("validates a choice from the environment like one from a flag", async () => {
  const { code, err } = await runPreflight(["check", "--recorded", "demo", "--target-version", "4.18.6"], {
    PREFLIGHT_LIFTED: "hide",
  });
  assert.equal(code, 2);
  assert.match(err, /^preflight: [^\n]*"hide"[^\n]*show[^\n]*leave[^\n]*\n$/);
});
