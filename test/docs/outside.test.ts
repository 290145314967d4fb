import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { readFile, readPages } from "../support/docs/pages.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Which of the project's files name the folder, other than to import what checks share; git returns 1 if none does. */
function listFilesThatNameIt(): readonly string[] {
  const pattern = String.raw`^(?!.* from "(?:[.]+/)+shared/).*\.\./shared`;
  const { stdout } = spawnSync("git", ["grep", "--untracked", "-lP", pattern], { cwd: ROOT, encoding: "utf8" });
  return stdout.split("\n").filter((file) => file !== "");
}

test("only what looks up a folder outside of the project names it", () => {
  const files = listFilesThatNameIt();
  assert.ok(files.length > 0);
  const looksUp = (file: string): boolean =>
    /^(?:test|tools|verify)\/.*\.ts$/.test(file) && readFile(file).includes("PREFLIGHT_SHARED");
  assert.deepEqual(
    files.filter((file) => !looksUp(file)),
    [],
  );
});

test("no page tells at which commit or on which machine it was written", () => {
  const telling = readPages().flatMap(({ path, text }) =>
    [...text.matchAll(/at commit [0-9a-f]{7,}|(?<![\w.])\/work\/\S*/g)].map(([found]) => `${path}: ${found}`),
  );
  assert.deepEqual(telling, []);
});
