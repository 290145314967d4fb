import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { buildTargetTable, describeCell, groupByTargets, type TargetResult } from "../../src/format/targets/targets.ts";
import { targetsFormats } from "../../src/format/targets/index.ts";
import type { CheckReport } from "../../src/model/report.ts";
import { buildReport, clearCheck, riskyCheck, unknownCheck } from "../../verify/pages/result-sample.ts";
import { OBSERVED, run, version } from "../../verify/pages/sample.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SCHEMA = join(ROOT, "schemas", "preflight-targets-v1.schema.json");
const validate = new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(SCHEMA, "utf8")));

type Part = Parameters<typeof buildReport>[0][number];

function target(label: string, parts: readonly Part[], accepted: readonly string[] = []): TargetResult {
  const report = buildReport(parts, { source: version("4.18.8"), target: version(label) });
  return { kind: "checked", label, report, accepted: new Set(accepted) };
}

function noticeCheck(id: string, ...notices: readonly string[]): CheckReport {
  return { ...clearCheck(id), outcome: { kind: "clear", notices } };
}

const TARGETS: readonly TargetResult[] = [
  target("4.19.1", [
    riskyCheck("A", ["n1", "n2"]),
    riskyCheck("B", ["n1"]),
    noticeCheck("c", "Nodes go to 4.19.1.", "Only here."),
    unknownCheck("d", "pods", "nodes"),
  ]),
  target("4.19.2", [
    riskyCheck("A", ["n2", "n3"]),
    clearCheck("b"),
    noticeCheck("c", "Nodes go to 4.19.2."),
    unknownCheck("d", "pods"),
  ]),
  target(
    "4.19.3",
    [riskyCheck("A", ["n1", "n2"]), unknownCheck("b", "a|b"), noticeCheck("c", "Nodes go to 4.19.3."), clearCheck("d")],
    ["A"],
  ),
  { kind: "notChecked", label: "4.19.9", message: "the release image can't be read: 404" },
];

test("each cell says what is known of a risk for a target", () => {
  const { columns, risks } = buildTargetTable(TARGETS);
  const cells = risks.map((risk) => [risk.name, ...columns.map((column) => describeCell(column, risk).state)]);
  assert.deepEqual(cells, [
    ["A", "risk", "risk", "risk", "notChecked"],
    ["B", "risk", "clear", "unknown", "notChecked"],
  ]);
});

test("what all targets say stands once, and the rest by those that say it", () => {
  const groups = groupByTargets(TARGETS).map(({ targets, isEvery, report, accepted }) => ({
    targets: targets.map(({ label }) => label).join(),
    isEvery,
    risks: report.risks.map(({ name }) => name),
    unknowns: report.unseen.map(({ unknown }) => unknown.where),
    notices: report.checks.flatMap(({ outcome }) => (outcome.kind === "notApplicable" ? [] : outcome.notices)),
    accepted: [...accepted],
  }));
  const none = { isEvery: false, risks: [], unknowns: [], notices: [], accepted: [] };
  assert.deepEqual(groups, [
    // One of them does not accept A, so it is open.
    { ...none, targets: "4.19.1,4.19.2,4.19.3", isEvery: true, risks: ["A"], notices: ["Nodes go to 4.19.1."] },
    { ...none, targets: "4.19.1,4.19.2", unknowns: ["pods"] },
    { ...none, targets: "4.19.1", risks: ["B"], unknowns: ["nodes"], notices: ["Only here."] },
    { ...none, targets: "4.19.3", unknowns: ["a|b"], accepted: ["A"] },
  ]);
});

test("the JSON fits its schema, and holds the whole result of each target", () => {
  const json = JSON.parse(targetsFormats.json({ targets: TARGETS, run, observedAt: OBSERVED }));
  const isValid: boolean = validate(json);
  assert.ok(isValid, JSON.stringify(validate.errors));
  assert.equal(json.complete, false);
  const results = json.targets.map((one: { state: string; result?: { targetVersion: string } }) => [
    one.state,
    one.result?.targetVersion,
  ]);
  assert.deepEqual(results, [
    ["checked", "4.19.1"],
    ["checked", "4.19.2"],
    ["checked", "4.19.3"],
    ["notChecked", undefined],
  ]);
});

const VIEW = { targets: TARGETS, colour: false, width: 80 } as const;
for (const [name, text] of [
  ["side-by-side.txt", targetsFormats.table(VIEW)],
  ["side-by-side.md", targetsFormats.markdown(VIEW)],
] as const)
  test(`the page is as ${name} has it`, () => {
    const file = join(import.meta.dirname, "golden", name);
    if (process.env["UPDATE"] === "1") writeFileSync(file, text);
    assert.equal(text, readFileSync(file, "utf8"));
  });
