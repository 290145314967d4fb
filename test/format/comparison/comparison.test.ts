import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { buildComparedResult } from "../../../src/format/comparison/compared-result.ts";
import { compareResults, isUndecided, isWorse } from "../../../src/format/comparison/comparison.ts";
import { buildComparisonJson, comparisonFormats } from "../../../src/format/comparison/index.ts";
import { FURTHER_RISKS } from "../../../src/model/document.ts";
import type { CheckReport, Report } from "../../../src/model/report.ts";
import { UNSEEN_RISKS } from "../../../src/model/unseen.ts";
import { check, createUnknown, report, risk, version } from "../../../verify/pages/sample.ts";
import {
  buildReport,
  clearCheck,
  documentOf,
  failedDocument,
  resultOf,
  riskyCheck,
  unknownCheck,
} from "../../../verify/pages/result-sample.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const SCHEMA = join(ROOT, "schemas", "preflight-comparison-v1.schema.json");
const validate = new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(SCHEMA, "utf8")));

const PLAIN = { colour: false, width: 80 } as const;
const CLEAR = buildReport([clearCheck("a")]);
const RISK = buildReport([riskyCheck("A", ["n1"])]);
const MORE = buildReport([riskyCheck("A", ["n1", "n2"])]);
const UNKNOWN = buildReport([unknownCheck("a", "nodes")]);
const TIMED_OUT = buildReport([
  check("a", {
    kind: "unknown",
    unknowns: [createUnknown("nodes", { reason: "TimedOut", message: "it took too long" })],
    findings: [],
    notices: [],
  }),
]);
const LEFT_OUT = buildReport([
  check("a", {
    kind: "unknown",
    unknowns: [createUnknown("--only", { reason: "LeftOut", message: "the check was left out" })],
    findings: [],
    notices: [],
  }),
]);
const MORE_UNKNOWN = buildReport([unknownCheck("a", "nodes", "pods")]);
const PARTLY = buildReport([
  { ...riskyCheck("A", ["n1"]), check: { ...unknownCheck("a", "nodes"), outcome: partlyUnknown() } },
]);

function partlyUnknown() {
  const { outcome } = riskyCheck("A", ["n1"]).check;
  const { outcome: unknown } = unknownCheck("a", "nodes");
  if (outcome.kind !== "risk" || unknown.kind !== "unknown") throw new Error("the samples have changed");
  return { ...unknown, findings: outcome.findings };
}

type Row = readonly [title: string, old: Report, now: Report, risks: string, checks: string, code: 0 | 3 | 4];
/** What becomes of the risk A and the check a, and the exit code. */
const CHANGES: readonly Row[] = [
  ["nothing", CLEAR, CLEAR, "", "", 0],
  ["the same risk", RISK, RISK, "same", "", 0],
  ["a risk that was looked for before", CLEAR, RISK, "new", "", 3],
  ["a risk whose check was incomplete before", UNKNOWN, RISK, "firstSeen", "known", 3],
  ["a risk whose check was not run before", buildReport([clearCheck("b")]), RISK, "firstSeen", "runNow", 3],
  ["a risk that is looked for and not found", RISK, CLEAR, "gone", "", 0],
  ["a risk whose check is incomplete now", RISK, UNKNOWN, "notKnown", "newlyUnknown", 4],
  ["a risk whose check was not run now", RISK, buildReport([clearCheck("b")]), "notKnown", "notRun", 4],
  ["one more object", RISK, MORE, "changed", "", 3],
  ["one object less", MORE, RISK, "changed", "", 0],
  ["the same risk in a check that is incomplete now", RISK, PARTLY, "same", "newlyUnknown", 4],
  ["a check that is incomplete now", CLEAR, UNKNOWN, "", "newlyUnknown", 4],
  ["a check that is incomplete for one more cause", UNKNOWN, MORE_UNKNOWN, "", "moreUnknown", 4],
  ["a check that is incomplete for another reason", UNKNOWN, TIMED_OUT, "", "stillUnknown", 4],
  ["a check that was left out before", LEFT_OUT, UNKNOWN, "", "stillUnknown", 4],
  ["a check that was incomplete before and is left out now", UNKNOWN, LEFT_OUT, "", "moreUnknown", 4],
  ["a check that is incomplete for one cause less", MORE_UNKNOWN, UNKNOWN, "", "stillUnknown", 4],
  ["a check that is complete now", UNKNOWN, CLEAR, "", "known", 0],
  ["an incomplete check that was not run before", buildReport([clearCheck("b")]), UNKNOWN, "", "stillUnknown", 4],
];

for (const [title, old, now, risks, checks, code] of CHANGES)
  test(`compared: ${title}`, () => {
    const comparison = compareResults(resultOf(old), resultOf(now));
    assert.equal(comparison.risks.map(({ kind }) => kind).join(), risks);
    const ofCheck = comparison.checks.filter(({ id }) => id === "a").map(({ kind }) => kind);
    assert.equal(ofCheck.join(), checks);
    assert.equal(getCode(comparison), code);
    assert.ok(validate(buildComparisonJson(comparison)), JSON.stringify(validate.errors));
  });

function getCode(comparison: ReturnType<typeof compareResults>): 0 | 3 | 4 {
  if (comparison.risks.some(isWorse)) return 3;
  return isUndecided(comparison) ? 4 : 0;
}

test("a document and the JSON of the same result are the same", () => {
  for (const [{ risks, ...rest }, code] of [
    [RISK, 0],
    [UNKNOWN, 4],
    [PARTLY, 4],
    [CLEAR, 0],
  ] as const) {
    const one = {
      ...rest,
      source: version("4.18.8"),
      risks: [...risks, risk(UNSEEN_RISKS.minorsBetween, { unknown: true })],
    };
    for (const [old, now] of [
      [documentOf(one), resultOf(one)],
      [resultOf(one), documentOf(one)],
    ] as const) {
      const comparison = compareResults(old, now);
      assert.deepEqual(
        comparison.risks.filter(({ kind }) => kind !== "same"),
        [],
      );
      assert.equal(getCode(comparison), code);
      assert.deepEqual([old.minorsBetween, now.minorsBetween], [["4.19"], ["4.19"]]);
    }
  }
});

test("another message of a document may be worse, unless only its versions differ", () => {
  const build = (text: string, target: string): Report => {
    const { check, risk } = riskyCheck("A", ["n1"]);
    return buildReport([{ check, risk: { ...risk, message: text } }], { target: version(target) });
  };
  const old = documentOf(build("Node n1 stops at 4.20.3.", "4.20.3"));
  const other = compareResults(old, documentOf(build("Node n1 and n2 stop at 4.20.3.", "4.20.3")));
  assert.deepEqual([other.risks[0]?.kind, getCode(other)], ["changed", 3]);
  const later = compareResults(old, documentOf(build("Node n1 stops at 4.20.9.", "4.20.9")));
  assert.deepEqual([later.risks[0]?.kind, getCode(later)], ["same", 0]);
});

test("an accepted risk is not worse, and one whose acceptance has ended is", () => {
  const accepted = compareResults(resultOf(CLEAR), resultOf(RISK, ["A"]));
  assert.deepEqual([accepted.risks[0]?.kind, getCode(accepted)], ["new", 0]);
  const ended = compareResults(resultOf(RISK, ["A"]), resultOf(RISK));
  assert.deepEqual([ended.risks[0]?.kind, getCode(ended)], ["changed", 3]);
  const notStated = compareResults(resultOf(RISK, ["A"]), documentOf(RISK));
  assert.deepEqual([notStated.risks[0]?.kind, getCode(notStated)], ["same", 0]);
});

test("every format names the risk under which an incomplete check is accepted", () => {
  const partial = risk("SampleUnknown", { check: "a", effect: "broken" });
  const unknown = buildReport([{ check: unknownCheck("a", "nodes"), risk: partial }]);
  const comparison = compareResults(resultOf(CLEAR), resultOf(unknown));
  for (const [name, format] of Object.entries(comparisonFormats))
    assert.match(format({ comparison, ...PLAIN }), /SampleUnknown/, name);
  assert.ok(validate(buildComparisonJson(comparison)), JSON.stringify(validate.errors));
  const accepted = compareResults(resultOf(CLEAR), resultOf(unknown, ["SampleUnknown"]));
  assert.match(comparisonFormats.markdown({ comparison: accepted, ...PLAIN }), /a \(accepted\)/);
});

test("a check that is left out is less known, unless that is accepted with a reason", () => {
  const leaveOut = (leftOut: NonNullable<CheckReport["leftOut"]>): Report => {
    const unknowns = [createUnknown("--skip", { reason: "LeftOut" })];
    const outcome = { kind: "unknown", unknowns, findings: [], notices: [] } as const;
    return report({ source: version("4.19.8"), checks: [{ ...check("a", outcome), leftOut }] });
  };
  const accepted = { check: "a", reason: "Another team does" };
  for (const describe of [resultOf, documentOf]) {
    assert.equal(getCode(compareResults(resultOf(CLEAR), describe(leaveOut({})))), 4);
    assert.equal(getCode(compareResults(resultOf(CLEAR), describe(leaveOut({ accepted })))), 0);
  }
});

test("nothing is gone or clear because a cycle failed", () => {
  const lost = compareResults(resultOf(RISK), failedDocument("no route to host"));
  assert.deepEqual([lost.risks[0]?.kind, getCode(lost)], ["notKnown", 4]);
  assert.match(comparisonFormats.table({ comparison: lost, ...PLAIN }), /no route to host/);
  const found = compareResults(failedDocument("no route to host"), resultOf(RISK));
  assert.deepEqual([found.risks[0]?.kind, getCode(found)], ["firstSeen", 3]);
  assert.equal(getCode(compareResults(failedDocument("a"), failedDocument("b"))), 4);
});

test("a target past a minor is less known than one of the next", () => {
  const next = resultOf(buildReport([clearCheck("a")], { source: version("4.18.8"), target: version("4.19.3") }));
  const comparison = compareResults(next, resultOf(buildReport([clearCheck("a")], { source: version("4.18.8") })));
  assert.deepEqual([comparison.newMinorsBetween, getCode(comparison)], [["4.19"], 4]);
});

test("a risk that a full document only counts is still known by its check", () => {
  const value = {
    format: "preflight-v1-json",
    executionStatus: "completed",
    complete: true,
    risks: [{ name: FURTHER_RISKS, message: "and 1 more" }],
    checks: [{ id: "a", outcome: "risk", risks: ["A"] }],
  };
  const parsed = buildComparedResult(value, { label: "full.json", accept: [], now: new Date(0) });
  assert.deepEqual(
    parsed.risks.map(({ name }) => name),
    ["A"],
  );
});

test("what was unknown before is still unknown, not no longer known", () => {
  for (const [now, heading] of [
    [UNKNOWN, "Still unknown"],
    [TIMED_OUT, "Still unknown"],
    [MORE_UNKNOWN, "Still unknown, and more of it than before"],
  ] as const) {
    const page = comparisonFormats.markdown({ comparison: compareResults(resultOf(UNKNOWN), resultOf(now)), ...PLAIN });
    assert.deepEqual(page.match(/^## .*/gm), [`## ${heading}`]);
    assert.doesNotMatch(page, /no longer/i);
  }
});

const OLD = buildReport([riskyCheck("A", ["n1"]), riskyCheck("B", ["n1"]), riskyCheck("C", ["n1"]), clearCheck("d")]);
const NEW = buildReport(
  [
    riskyCheck("A", ["n2"]),
    clearCheck("b"),
    unknownCheck("c", "pods", "a_b*"),
    riskyCheck("D", ["<b>"]),
    unknownCheck("e", "nodes"),
  ],
  { target: version("4.20.9"), clusterId: "two" },
);

for (const [name, format] of [
  ["comparison.txt", comparisonFormats.table],
  ["comparison.md", comparisonFormats.markdown],
] as const)
  test(`the page is as ${name} has it`, () => {
    const old = resultOf({ ...OLD, clusterId: "one" }, [], "old.json");
    const text = format({ comparison: compareResults(old, resultOf(NEW, [], "new.json")), ...PLAIN });
    const file = join(import.meta.dirname, "..", "golden", name);
    if (process.env["UPDATE"] === "1") writeFileSync(file, text);
    assert.equal(text, readFileSync(file, "utf8"));
  });

test("a page begins with every change in a line, what may be worse first, and leads to each", () => {
  const old = buildReport([riskyCheck("Changed", ["a"]), riskyCheck("Gone", ["a"]), riskyCheck("Same", ["a"])]);
  const now = buildReport([
    riskyCheck("Changed", ["a", "b"]),
    riskyCheck("Same", ["a"]),
    riskyCheck("Newest", ["a"]),
    clearCheck("gone"),
  ]);
  const comparison = compareResults(resultOf(old), resultOf(now));
  const page = comparisonFormats.html({ comparison });
  const [, table = ""] = /<table class="overview">(.*?)<\/table>/s.exec(page) ?? [];
  const rows = [...table.matchAll(/<th scope="row">(.*?)<\/th>.*?href="#(.*?)"/g)].map(([, change, name]) => [
    change,
    name,
  ]);
  assert.deepEqual(rows, [
    ["perhaps new", "Newest"],
    ["changed", "Changed"],
    ["gone", "Gone"],
    ["in both", "Same"],
  ]);
  for (const [, name] of rows) assert.ok(page.includes(`<li id="${name}">`), name);
  assert.match(table, /data-label="What differs">1 more</);
});
