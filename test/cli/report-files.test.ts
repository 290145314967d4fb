import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runPreflight } from "../support/preflight.ts";

const DEMO = ["check", "--recorded", "demo", "--target", "demo/release"];

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "preflight-"));
});
after(() => rm(folder, { recursive: true, force: true }));

test("one run writes several reports beside its output, with the same exit code", async () => {
  const [html, junit] = [join(folder, "report.html"), join(folder, "a=b", "result.xml")];
  const { code, out, err } = await runPreflight([...DEMO, "--report", `html=${html}`, "--report", `junit=${junit}`]);
  assert.deepEqual([code, err], [3, ""]);
  assert.match(out, /^4\.17\.20 -> 4\.18\.6: 5 risks/);
  assert.match(await readFile(html, "utf8"), /^<!doctype html>\n[\s\S]*DrainBlockedByDisruptionBudget/);
  assert.match(await readFile(junit, "utf8"), /<failure type="DrainBlockedByDisruptionBudget"/);
});

const WRONG: readonly (readonly [string, RegExp])[] = [
  ["html", /"html" names no file: write FORMAT=FILE/],
  ["junt=x.xml", /no output format is called "junt": did you mean junit\?/],
  ["constructor=x", /no output format is called "constructor"/],
];
for (const [value, expected] of WRONG)
  test(`--report ${value} is wrong usage`, async () => {
    const { code, out, err } = await runPreflight([...DEMO, "--report", value]);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, expected);
  });

test("a report that can't be written is one line, and the command fails", async () => {
  const { code, err } = await runPreflight([...DEMO, "--report", `html=${folder}`]);
  assert.equal(code, 1);
  assert.match(err, /^preflight: the report .* can't be written: .* is a directory/);
});
