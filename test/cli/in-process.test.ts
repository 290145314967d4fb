import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { runPreflight, spawnPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const DEMO = ["--recorded", join(ROOT, "demo"), "--target", join(ROOT, "demo", "release")];
const folder = createTemporaryFolder();

const COMMANDS: readonly (readonly [words: readonly string[], env?: Readonly<Record<string, string>>])[] = [
  [["check", ...DEMO, "-o", "wide", "--accept", "Unheard"]],
  [["check", "--quiet"], { PREFLIGHT_RECORDED: "demo", PREFLIGHT_TARGET: "demo/release" }],
  [["plan", "--recorded", "demo", "--to", "4.18.6", "--release", "demo/release"]],
  [["chek"]],
  [["list", "--target", "/nonexistent"]],
  [["__complete", "--", "check", "--only", "cg"]],
];
for (const [words, env] of COMMANDS)
  test(`a command is in this process what it is in its own, at each time: ${words.slice(0, 2).join(" ")}`, async () => {
    const expected = await spawnPreflight(words, env);
    assert.deepEqual(await runPreflight(words, env), expected);
    assert.deepEqual(await runPreflight(words, env), expected);
  });

/** What one run could leave for the next, or for a test. */
function readProcess(): unknown {
  const listeners = ["exit", "beforeExit", "SIGTERM", "SIGINT", "message", "uncaughtException", "disconnect"];
  return [process.cwd(), { ...process.env }, process.exitCode, listeners.map((name) => process.listenerCount(name))];
}

test("runs at the same time keep apart, also in different folders, and leave this process as it was", async () => {
  const before = readProcess();
  const names = ["only", "skip"];
  for (const name of names) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, ".preflight.yaml"), `settings: {${name}: nodes}\n`);
  }
  const check = ["check", ...DEMO];
  const runner = ["--format=preflight-v1-json", ...DEMO, "--interval", "0", "--document", join(folder, "v1.json")];
  const [plain, first, cycle, second, again] = await Promise.all([
    runPreflight(check),
    runPreflight(check, {}, { cwd: join(folder, "only") }),
    runPreflight(runner),
    runPreflight(check, {}, { cwd: join(folder, "skip") }),
    runPreflight(check),
  ]);
  assert.deepEqual([plain.code, plain], [3, again]);
  assert.match(first.err, /sets "only"/);
  assert.match(second.err, /sets "skip"/);
  assert.deepEqual([cycle.code, cycle.out], [0, ""], cycle.err);
  assert.deepEqual(readProcess(), before);
});

test("what belongs to a process is refused", async () => {
  await assert.rejects(runPreflight(["mcp"]), /stdin needs a process of its own/);
  await assert.rejects(runPreflight(["list"], { NODE_OPTIONS: "" }), /NODE_OPTIONS needs a process of its own/);
});
