import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import type { ToolUsage } from "../support/verify/tool-usages.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { COMMON, readFlags } from "../../verify/shared/flags.ts";

const VERIFY = join(import.meta.dirname, "../../verify");
const USAGES = join(import.meta.dirname, "../support/verify/tool-usages.ts");
const ALL = globSync("*.ts", { cwd: VERIFY }).map((file) => basename(file, ".ts"));
const TOOLS = sampleEach(ALL.toSorted(), 2);

const tool = {
  command: "npm run sample --",
  about: "Does nothing.",
  flags: { ...COMMON, steps: { type: "string", default: "10", help: "how many" } },
} as const;

const FAULTS: readonly [args: readonly string[], fault: RegExp][] = [
  [["--none"], /^Unknown option '--none'$/],
  [["--seed"], /^Option '--seed <value>' argument missing/],
  [["--seed", "a"], /^--seed takes a whole number: "a"$/],
  [["--seconds", "1.5"], /^--seconds takes a whole number: "1\.5"$/],
  [["--steps", "many"], /^--steps takes a whole number: "many"$/],
  [["word"], /^Unexpected argument 'word'/],
];

for (const [args, fault] of FAULTS)
  test(`${args.join(" ")} is refused in one line`, () => {
    const read = readFlags(tool, args);
    assert.ok(read.kind === "wrong");
    assert.match(read.text, fault);
    assert.doesNotMatch(read.text, /\n/);
  });

test("flags have their defaults", () => {
  const read = readFlags(tool, ["--write"]);
  assert.ok(read.kind === "run");
  assert.deepEqual({ ...read.flags.values }, { seed: "1", steps: "10", write: true });
});

/** By tool: what `--help` says, and a flag that none has. */
const readUsages = once((): Readonly<Record<string, readonly [ToolUsage, ToolUsage]>> => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [USAGES, VERIFY, ...TOOLS], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
});

for (const name of TOOLS)
  test(`${name} says what it takes, refuses what it doesn't, and has a page of its own`, () => {
    const [help, refused] = readUsages()[name] ?? assert.fail(name);
    assert.deepEqual([help.status, help.stderr], [0, ""]);
    for (const [flag, { help: words }] of Object.entries(COMMON).slice(0, 1))
      if (help.stdout.includes(`--${flag}`)) assert.ok(help.stdout.includes(words), help.stdout);
    assert.deepEqual([refused.status, refused.stdout], [2, ""]);
    assert.match(refused.stderr, /--no-such-flag.*\n$/);
    assert.equal(refused.stderr.split("\n").length, 2);
    const page = join(VERIFY, name, "README.md");
    assert.ok(existsSync(page), page);
    assert.ok(readFileSync(page, "utf8").split("\n").length <= 45, "it fits one screen");
  });

function once<T>(read: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => (kept ??= { value: read() }).value;
}
