import assert from "node:assert/strict";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { escapeAllButProgress } from "../../src/cli/process/terminal-text.ts";
import { assertVisible, assertVisibleValue, HOSTILE } from "../../verify/shared/hostile-text.ts";
import { type ProcessResult, runPreflight, spawnPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { PARSERS } from "../support/format/parsers.ts";

const folder = createTemporaryFolder();
const DEMO = ["--target", "demo/release", "--only", "crd-skew,drain-blocked"];

/** The demo's cluster, with a namespace and a budget of hostile names. */
before(async () => {
  await cp("demo", folder, { recursive: true });
  const recording = await readFile(join(folder, "cluster.json"), "utf8");
  const hostile = recording
    .replaceAll('"billing"', JSON.stringify(HOSTILE))
    .replaceAll('"checkout"', JSON.stringify(`a\u200bb${HOSTILE}`));
  assert.notEqual(hostile, recording);
  await writeFile(join(folder, "cluster.json"), hostile);
});

function check(...args: readonly string[]): Promise<ProcessResult> {
  return runPreflight(["check", "--recorded", folder, ...DEMO, ...args]);
}

test("a file has the bytes that stdout has, without anything hidden, in every format", async () => {
  const files = Object.entries(PARSERS).map(([name, parse]) => ({ name, parse, file: join(folder, `result.${name}`) }));
  const all = await check(...files.flatMap(({ name, file }) => ["-o", `${name}=${file}`]));
  assert.equal(all.code, 3, all.err);
  for (const { name, parse, file } of files) {
    const text = await readFile(file, "utf8");
    if (name !== "quiet") assert.match(text, /U\+202E/, name);
    assertVisible(text, name);
    assertVisibleValue(await parse(text), name);
  }
  for (const name of ["csv", "sarif", "github"]) {
    const { out } = await check("-o", name);
    assert.equal(out, await readFile(join(folder, `result.${name}`), "utf8"));
  }
});

test("the summary of a job and the log on stderr have nothing hidden", async () => {
  const summary = join(folder, "summary.md");
  const { out, err } = await runPreflight(["check", "--recorded", folder, ...DEMO, "-o", "github", "--verbose"], {
    GITHUB_STEP_SUMMARY: summary,
  });
  assertVisible(out, "stdout");
  assertVisible(err, "stderr");
  assertVisible(await readFile(summary, "utf8"), "the summary");
});

test("a new result of the same cluster is no different from one that an earlier version wrote as it was", async () => {
  const old = join(folder, "old.json");
  const now = join(folder, "new.json");
  await check("-o", `json=${now}`);
  const text = await readFile(now, "utf8");
  await writeFile(old, text.replaceAll("U+202E", "\u202e").replaceAll("U+001B", String.raw`\u001b`));
  const { code, out } = await runPreflight(["compare", old, now, "--accept", "PreflightChecksLeftOut,CrdSkewUnknown"]);
  assert.equal(code, 0, out);
  assert.match(out, /Nothing is worse than before\./);
});

/** Throws what nothing catches, once the program is ready for it. */
const UNCAUGHT = `const timer = setInterval(() => {
  if (process.listenerCount("uncaughtException") === 0) return;
  clearInterval(timer);
  throw new Error("a\\u202eb\\u001b[2J");
}, 1).unref();`;

test("an error that nothing expected is printed with its stack, and without what it hides", async () => {
  const options = { NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(UNCAUGHT)}"` };
  const { code, err } = await spawnPreflight(["check", "--recorded", folder, ...DEMO], options);
  assert.equal(code, 1);
  assert.match(err, /unexpected error, please report it\nError: aU\+202EbU\+001B\[2J\n {4}at /);
  assertVisible(err, "stderr");
});

test("what a child process prints passes on its progress, and nothing else that a terminal obeys", () => {
  const text = "\r\u001b[2KReading 3 reads\r\u001b[2K\u001b[31mred\u202e\n";
  assert.equal(escapeAllButProgress(text), "\r\u001b[2KReading 3 reads\r\u001b[2KU+001B[31mredU+202E\n");
});
