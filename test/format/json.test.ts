import assert from "node:assert/strict";
import { test } from "node:test";
import { buildDocument } from "../../src/format/document/document.ts";
import { formatJsonText } from "../../src/model/visible-text.ts";
import { formatJson } from "../../src/format/programs/json.ts";
import { formatQuiet } from "../../src/format/programs/lines.ts";
import { parseDocument } from "../../src/format/document/document-parser.ts";
import type { View } from "../../src/format/view/view.ts";
import { type Json, listAt, textAt } from "../../src/model/json.ts";
import type { Report } from "../../src/model/report.ts";
import { createUnknown, check, finding, report, reportOf, risk, run, version } from "../../verify/pages/sample.ts";
import { fullReport } from "../../verify/pages/table-sample.ts";

function buildSampleDocument(of: Report, facts = run) {
  return buildDocument({ result: { kind: "completed", report: of }, run: facts });
}

function buildView(of: Report, more: Partial<View> = {}): View {
  return { report: of, document: buildSampleDocument(of), accepted: new Set(), colour: false, width: 80, ...more };
}

const NONE_ACCEPTED: ReadonlySet<string> = new Set();

test("json has a check's machine-readable details, and what it could not decide about an object", () => {
  const object = { apiVersion: "v1", kind: "Pod", name: "web" };
  const findings = [finding("A", { object, path: "spec.a", detail: { kind: "invalid", effect: "rejected" } })];
  const undecided = createUnknown("widgets", { at: { object, path: "spec.b", detail: { kind: "notEvaluated" } } });
  const of = report({ checks: [check("z", { kind: "unknown", findings, unknowns: [undecided], notices: [] })] });
  const actual = listAt(JSON.parse(formatJson(buildView(of))), "checks", 0, "findings");
  assert.deepEqual(actual, [
    { object, risk: "A", path: "spec.a", message: "it is wrong", kind: "invalid", effect: "rejected" },
    { object, risk: "SampleUnknown", path: "spec.b", message: undecided.message, kind: "notEvaluated" },
  ]);
});

test("json is the document with findings and unknowns by check, sorted", async () => {
  const object = { name: "web", namespace: "demo", kind: "Pod", apiVersion: "v1" };
  const findings = [finding("B"), finding("A", { object, path: "spec.b" }), finding("A", { object, path: "spec.a" })];
  const unknowns = [
    createUnknown("pods"),
    createUnknown("nodes", { reason: "TimedOut", message: "no answer in 30 s" }),
  ];
  const checks = [
    check("a", { kind: "clear", notices: [] }),
    check("z", { kind: "unknown", findings, unknowns: unknowns, notices: ["Note."] }),
  ];
  const of = report({ checks, risks: [risk("A", { check: "z" }), risk("B", { check: "z" })] });
  const document = buildSampleDocument(of);
  const text = formatJson({ document, report: of, accepted: new Set(["B", "A"]) });
  const { checks: actual, coverage, accepted, minorsBetween, unseen, ...rest } = JSON.parse(text);
  assert.deepEqual(minorsBetween, ["4.19"]);
  const { checks: _, ...expected } = JSON.parse(formatJsonText(document));
  const titles = ["A", "B"].map((name) => ({ title: `Something is wrong (${name})` }));
  assert.deepEqual(rest, {
    ...expected,
    risks: expected.risks.map((one: object, i: number) => ({ ...one, ...titles[i] })),
  });
  assert.deepEqual(
    unseen.map(({ check: id, risk: name, reason }: Record<string, string>) => [id, name, reason]),
    [
      ["z", "SampleUnknown", "TimedOut"],
      ["z", "SampleUnknown", "Forbidden"],
      [undefined, "PreflightMinorsBetween", "MinorsBetween"],
    ],
  );
  assert.deepEqual(accepted, ["A", "B"]);
  assert.deepEqual(coverage, of.coverage);
  assert.deepEqual(actual, [
    { id: "a", outcome: "clear", title: "What a looks at", findings: [], unknowns: [] },
    {
      id: "z",
      outcome: "unknown",
      reason: "TimedOut",
      message: "nodes: no answer in 30 s; pods: reading pods was forbidden",
      risks: ["A", "B"],
      notices: ["Note."],
      title: "What z looks at",
      findings: [
        {
          object: { apiVersion: "config.openshift.io/v1", kind: "Node", name: "cluster" },
          risk: "B",
          message: "it is wrong",
        },
        {
          object: { apiVersion: "v1", kind: "Pod", namespace: "demo", name: "web" },
          risk: "A",
          path: "spec.a",
          message: "it is wrong",
        },
        {
          object: { apiVersion: "v1", kind: "Pod", namespace: "demo", name: "web" },
          risk: "A",
          path: "spec.b",
          message: "it is wrong",
        },
      ],
      unknowns: [
        { reason: "TimedOut", where: "nodes", message: "no answer in 30 s" },
        { reason: "Forbidden", where: "pods", message: "reading pods was forbidden" },
      ],
    },
  ]);
  assert.equal((await parseDocument(text)).kind, "valid");
  assert.match(text, /"apiVersion": "v1",\n +"kind": "Pod",\n +"namespace": "demo",\n +"name": "web"\n/);
});

test("json has the update service's name of a risk, for which the document has no field", async () => {
  const published = ["ThingsBreak", "ThingsBreakAgain"];
  const of = reportOf([risk("A", { published }), risk("B")]);
  const document = buildSampleDocument(of);
  const text = formatJson({ document, report: of, accepted: new Set(["B", "A"]) });
  const [named, plain] = listAt(JSON.parse(text), "risks");
  assert.deepEqual(named, { ...document.risks[0], title: "Something is wrong (A)", published });
  assert.deepEqual(plain, { ...document.risks[1], title: "Something is wrong (B)" });
  assert.ok(!formatJsonText(document).includes("ThingsBreak"));
  assert.equal((await parseDocument(text)).kind, "valid");
});

test("json neither shortens nor omits anything", () => {
  const risks = Array.from({ length: 60 }, (_, i) =>
    risk(`R${i + 100}`, { description: `${"long ".repeat(300)}end.` }),
  );
  const notices = Array.from({ length: 40 }, (_, i) => `${i + 100} ${"long ".repeat(300)}`);
  const of = report({ checks: [check("sample", { kind: "risk", findings: [], notices })], risks });
  const document = buildSampleDocument(of);
  assert.equal(document.risks.at(-1)?.name, "PreflightFurtherRisks");
  const whole: Json = JSON.parse(formatJson({ document, report: of, accepted: NONE_ACCEPTED }));
  assert.deepEqual(
    listAt(whole, "risks").map((one) => [textAt(one, "name"), textAt(one, "message")]),
    risks.map(({ name, message }) => [name, message]),
  );
  assert.deepEqual(listAt(whole, "checks", 0, "notices"), notices);
});

test("json keeps the time since when a risk applies, and the incomplete checks that are not reported as risks", () => {
  const before = buildSampleDocument(reportOf([risk("A")]));
  const of = reportOf([risk("A"), risk("BUnknown")], { observedAt: new Date("2026-03-02T00:00:00Z") });
  const facts = { ...run, hasUnknownRisks: false };
  const document = buildDocument({ result: { kind: "completed", report: of }, run: facts, previous: before });
  const view = { document, report: of, hasUnknownRisks: false, accepted: NONE_ACCEPTED };
  const whole: Json = JSON.parse(formatJson(view));
  assert.deepEqual(listAt(whole, "risks"), [{ ...document.risks[0], title: "Something is wrong (A)" }]);
  assert.equal(textAt(whole, "risks", 0, "conditions", 0, "lastTransitionTime"), "2026-03-01T10:00:00Z");
});

test("quiet prints the names of risks that nobody accepted", () => {
  assert.equal(formatQuiet(buildView(fullReport())), "BootImagesUnknown\nCgroupModeRemoved\nDualStackNetworks\n");
  const accepted = new Set(["CgroupModeRemoved", "Other"]);
  assert.equal(formatQuiet(buildView(fullReport(), { accepted })), "BootImagesUnknown\nDualStackNetworks\n");
  assert.equal(formatQuiet(buildView(report())), "");
});

test("quiet prints risks that the document's budget cut, but no incomplete checks if those are turned off", () => {
  const risks = Array.from({ length: 60 }, (_, i) => risk(`R${i + 100}`));
  assert.equal(formatQuiet(buildView(reportOf(risks))), risks.map(({ name }) => `${name}\n`).join(""));
  const of = reportOf([risk("A"), risk("BUnknown")]);
  assert.equal(formatQuiet(buildView(of, { hasUnknownRisks: false })), "A\n");
});

test("an update that passes a minor is not complete", () => {
  const getComplete = (target: string): readonly unknown[] => {
    const of = report({ source: version("4.18.8"), target: version(target) });
    const document = buildDocument({ result: { kind: "completed", report: of }, run });
    const json = JSON.parse(formatJson({ document, report: of, accepted: new Set() }));
    return [document.complete, json.complete, json.minorsBetween];
  };
  assert.deepEqual(getComplete("4.19.3"), [true, true, undefined]);
  assert.deepEqual(getComplete("4.20.3"), [false, false, ["4.19"]]);
});

test("the offer of the update service has its conditions", () => {
  const of = report();
  const document = buildDocument({ result: { kind: "completed", report: of }, run });
  const publishedRisks = [{ name: "ExampleRisk", message: "Pods may restart.", url: "https://docs.example/risk" }];
  const risks = publishedRisks.map((risk) => ({ ...risk, matchingRules: [{ type: "Always" }] }));
  const offer = { recommendation: { kind: "conditional", exposure: "exposed", risks }, updates: 1 } as const;
  assert.deepEqual(JSON.parse(formatJson({ document, report: of, accepted: new Set(), offer })).offer, {
    recommendation: "conditional",
    exposure: "exposed",
    publishedRisks,
    updates: 1,
  });
});
