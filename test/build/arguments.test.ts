import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const BUILD = join(import.meta.dirname, "..", "..", "build.mjs");

/** In the project's folder, where the build has its sources. */
function runBuild(...args: readonly string[]) {
  const cwd = join(BUILD, "..");
  const before = readdirSync(cwd);
  const { status, stdout, stderr } = spawnSync(process.execPath, [BUILD, ...args], { cwd, encoding: "utf8" });
  assert.deepEqual(readdirSync(cwd), before);
  return { status, stdout, stderr };
}

for (const flag of ["--help", "-h"])
  test(`build.mjs ${flag} says what it does and builds nothing`, () => {
    const { status, stdout, stderr } = runBuild(flag);
    assert.deepEqual([status, stderr], [0, ""]);
    assert.match(stdout, /^Usage: node build\.mjs \[OUTPUT_FOLDER\]\n\n.*dist\/preflight/);
  });

for (const [args, unexpected] of [
  [["--hlep"], "--hlep"],
  [["--hlep", "dist"], "--hlep"],
  [["one", "two"], "two"],
] as const)
  test(`build.mjs ${args.join(" ")} is wrong usage in one line and builds nothing`, () => {
    assert.deepEqual(runBuild(...args), {
      status: 2,
      stdout: "",
      stderr: `build: unexpected argument ${unexpected}: node build.mjs [OUTPUT_FOLDER]\n`,
    });
  });
