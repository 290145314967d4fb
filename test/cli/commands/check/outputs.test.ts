import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { limitBytes } from "../../../../src/cli/commands/check/run.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const DEMO = ["check", "--recorded", "demo", "--target", "demo/release"];

const folder = createTemporaryFolder();

test("one run writes several results beside its output, with the same exit code", async () => {
  const html = join(folder, "report.html");
  const junit = join(folder, "a=b", "result.xml");
  const outputs = ["-o", "markdown", "-o", `html=${html}`, "--output", `junit=${junit}`];
  const { code, out, err } = await runPreflight([...DEMO, ...outputs]);
  assert.deepEqual([code, err], [3, ""]);
  assert.match(out, /^# 4\.17\.20 -> 4\.18\.6: 5 risks/);
  assert.match(await readFile(html, "utf8"), /^<!doctype html>\n[\s\S]*DrainBlockedByDisruptionBudget/);
  assert.match(await readFile(junit, "utf8"), /<failure type="DrainBlockedByDisruptionBudget"/);
});

test("--quiet is short for the format of that name", async () => {
  const file = join(folder, "names.txt");
  const { code, out } = await runPreflight([...DEMO, "--quiet", "-o", `quiet=${file}`]);
  assert.equal(code, 3);
  assert.match(out, /^(?:\w+\n){6}$/);
  assert.equal(await readFile(file, "utf8"), out);
});

test("with files alone, stdout has the table", async () => {
  const { code, out } = await runPreflight([...DEMO, "-o", `csv=${join(folder, "risks.csv")}`]);
  assert.equal(code, 3);
  assert.match(out, /^Don't update yet\. 4\.17\.20 -> 4\.18\.6: 5 risks.*\n/);
});

test("a configuration file may name outputs, and the flag replaces them", async () => {
  const config = join(folder, "config.yaml");
  const file = join(folder, "from-config.json");
  await writeFile(config, `settings: {output: [wide, "json=${file}"]}\n`);
  const wide = await runPreflight([...DEMO, "--config", config]);
  assert.match(wide.out, /^ {4}How sure /m);
  const { risks } = JSON.parse(await readFile(file, "utf8"));
  assert.equal(risks.length, 6);
  await rm(file);
  const table = await runPreflight([...DEMO, "--config", config, "-o", "table"]);
  assert.doesNotMatch(table.out, /^ {4}How sure /m);
  await assert.rejects(readFile(file), { code: "ENOENT" });
});

const WRONG: readonly (readonly [readonly string[], RegExp])[] = [
  [["html="], /--output "html=" names no file: write FORMAT=FILE, such as html=report\.html/],
  [["junt=x.xml"], /no output format is called "junt": did you mean junit\?/],
  [["constructor=x"], /no output format is called "constructor": choose one of table, wide, json/],
  [["json", "yaml"], /json and yaml would both go to stdout: write FORMAT=FILE for all but one/],
  [["json=x", "html=x"], /several formats would go to the file x/],
];
for (const [values, expected] of WRONG)
  test(`-o ${values.join(" -o ")} is wrong usage`, async () => {
    const { code, out, err } = await runPreflight([...DEMO, ...values.flatMap((value) => ["-o", value])]);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, expected);
  });

test("a result that can't be written is one line, and the command fails", async () => {
  const { code, err } = await runPreflight([...DEMO, "-o", `html=${folder}`]);
  assert.equal(code, 1);
  assert.match(err, /^preflight: the file .* can't be written: .* is a directory/);
});

test("a failure is written as a document, and other files are named as not written", async () => {
  const document = join(folder, "failed.json");
  const html = join(folder, "failed.html");
  const outputs = ["-o", `preflight-v1-json=${document}`, "-o", `html=${html}`];
  const { code, out, err } = await runPreflight(["check", "--recorded", "demo", "--target", folder, ...outputs]);
  assert.deepEqual([code, out], [1, ""]);
  assert.equal(JSON.parse(await readFile(document, "utf8")).executionStatus, "failed");
  assert.match(err, /failed\.html was not written\n$/);
});

test("with -o github, the summary of the job gets the result as markdown", async () => {
  const summary = join(folder, "summary.md");
  await writeFile(summary, "# Before\n");
  const { code, out, err } = await runPreflight([...DEMO, "-o", "github"], { GITHUB_STEP_SUMMARY: summary });
  assert.deepEqual([code, err], [3, ""]);
  assert.match(out, /^::error title=OperatorIncompatibleWithNextMinor::/);
  assert.match(await readFile(summary, "utf8"), /^# Before\n# 4\.17\.20 -> 4\.18\.6: 5 risks/);
});

test("a summary that can't be written is a line on stderr, and changes nothing", async () => {
  const { code, out, err } = await runPreflight([...DEMO, "-o", "github"], { GITHUB_STEP_SUMMARY: folder });
  assert.equal(code, 3);
  assert.match(out, /^::error/);
  assert.match(err, /^preflight: the job summary was not written: .*EISDIR/);
});

test("a summary that is longer than a job's may be is cut between risks", () => {
  const risk = `\n### A\n\n${"é".repeat(200_000)}\n`;
  const text = limitBytes(risk.repeat(4));
  assert.ok(Buffer.byteLength(text) < 1024 * 1024);
  assert.equal(
    text,
    `${risk.repeat(2).trimEnd()}\n\nThe result is too long for a job summary; \`-o json\` has all of it.\n`,
  );
  assert.equal(limitBytes(risk), risk);
});
