import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { buildDocument } from "../../src/format/document/document.ts";
import { formats } from "../../src/format/index.ts";
import { formatRunnerReadiness } from "../../src/format/programs/readiness-document.ts";
import type { Effect } from "../../src/model/check.ts";
import { textAt, textsAt } from "../../src/model/json.ts";
import type { OlmOperator } from "../../src/model/olm-operator.ts";
import type { CycleResult, Report } from "../../src/model/report.ts";
import { check, createUnknown, finding, OBSERVED, report, reportOf, risk, run } from "../../verify/pages/sample.ts";
import { buildEvilView, buildView } from "../../verify/pages/view-sample.ts";
import { readinessValidator, readReadiness } from "../support/format/readiness-validator.ts";

const DEMO = join(import.meta.dirname, "../../docs/examples/readiness.json");
const CLEAR = report({ target: { ...report().source }, checks: [check("a", { kind: "clear", notices: [] })] });

/** What needs work stands above what is as it should be. */
const ORDER = ["fail", "error", "warn", "pass"];

function read(of: Report, accepted: readonly string[] = []) {
  return readReadiness(formats.readiness(buildView(of, { accepted: new Set(accepted), acceptances: [] })));
}

test("the readiness of the demo, of a full report and of foreign text is valid, and none is recommended", () => {
  for (const text of [readFileSync(DEMO, "utf8"), formats.readiness(buildView()), formats.readiness(buildEvilView())])
    assert.notEqual(readReadiness(text).decision, "recommend");
});

test("the demo blocks its update, with what verifies each finding of an object", () => {
  const { decision, findings, rows } = readReadiness(readFileSync(DEMO, "utf8"));
  assert.deepEqual(
    [decision, rows["crd-skew"], rows["drain-blocked"], rows["nodes"]],
    ["block", "error", "fail", "pass"],
  );
  const [, ...statuses] = Object.values(rows);
  assert.deepEqual(
    statuses,
    [...statuses].toSorted((a = "", b = "") => ORDER.indexOf(a) - ORDER.indexOf(b)),
  );
  const blockers = findings.filter((one) => textAt(one, "severity") === "blocker");
  assert.equal(blockers.length, 3);
  for (const one of blockers)
    assert.ok(textAt(one, "prerequisite") !== undefined && textAt(one, "verifyCommand")?.startsWith("oc "));
});

test("only a result without any finding, in which everything was seen, is recommended", () => {
  const { decision, rows, findings } = read(CLEAR);
  assert.deepEqual([decision, rows["a"], findings], ["recommend", "pass", []]);
});

test("what a risk does to the update decides on blocker or warning", () => {
  const table: Readonly<Record<Effect, readonly string[]>> = {
    refused: ["block", "fail", "blocker"],
    stuck: ["block", "fail", "blocker"],
    notRecommended: ["caution", "warn", "warning"],
    broken: ["caution", "warn", "warning"],
  };
  for (const effect of ["refused", "stuck", "notRecommended", "broken"] as const) {
    const { decision, rows, findings } = read(reportOf([risk("A", { effect })], { target: report().source }));
    assert.deepEqual([decision, rows["sample"], textAt(findings[0], "severity")], table[effect], effect);
  }
});

test("an accepted risk still shows, and no longer asks for anything", () => {
  const { decision, rows, findings } = read(reportOf([risk("A", { effect: "stuck" })], { target: report().source }), [
    "A",
  ]);
  const [only] = findings;
  assert.deepEqual(
    [decision, rows["sample"], textAt(only, "severity"), textAt(only, "prerequisite")],
    ["caution", "warn", "info", undefined],
  );
});

test("something that was not seen escalates, is a finding with a prerequisite, and is never recommended when accepted", () => {
  const unseen = reportOf([risk("SampleUnknown")], { target: report().source });
  const open = read(unseen);
  assert.deepEqual([open.decision, open.rows["sample"]], ["escalate", "error"]);
  const [only] = open.findings;
  assert.equal(textAt(only, "severity"), "warning");
  assert.match(textAt(only, "prerequisite") ?? "", /Accept as SampleUnknown\.$/);
  assert.deepEqual(textsAt(only, "affectedResources"), [
    "nodes.config.openshift.io cluster: reading nodes.config.openshift.io cluster was forbidden",
  ]);
  const accepted = read(unseen, ["SampleUnknown"]);
  assert.deepEqual([accepted.decision, accepted.rows["sample"]], ["caution", "warn"]);
  const withoutRisks = buildView(unseen, { hasUnknownRisks: false, accepted: new Set(), acceptances: [] });
  assert.equal(readReadiness(formats.readiness(withoutRisks)).decision, "escalate");
});

test("a blocker stays one beside what was not seen, and neither hides the other", () => {
  const both = reportOf([risk("A", { effect: "stuck" }), risk("SampleUnknown")], { target: report().source });
  const { decision, rows, findings } = read(both);
  assert.deepEqual([decision, rows["sample"], findings.length], ["block", "fail", 2]);
  const warnings = reportOf([risk("A", { effect: "broken" }), risk("SampleUnknown")], { target: report().source });
  assert.deepEqual([read(warnings).decision, read(warnings).rows["sample"]], ["escalate", "error"]);
});

test("what concerns the whole result has a line of its own", () => {
  const nothing = read(
    report({ target: report().source, checks: [check("a", { kind: "notApplicable", reason: "no" })] }),
  );
  assert.deepEqual(
    [nothing.decision, nothing.rows["PreflightNothingChecked"], nothing.rows["a"]],
    ["escalate", "error", undefined],
  );
});

test("many objects are counted, and their commands are those of the first three", () => {
  const findings = Array.from({ length: 25 }, (_, i) =>
    finding("A", { object: { apiVersion: "v1", kind: "Node", name: `n${i}` }, see: [`oc get node n${i}`] }),
  );
  const many = report({
    target: report().source,
    checks: [check("sample", { kind: "risk", findings, notices: [] })],
    risks: [risk("A", { effect: "stuck" })],
  });
  const [only] = read(many).findings;
  const resources = textsAt(only, "affectedResources");
  assert.deepEqual([resources.length, resources.at(-1)], [21, "and 5 more (all with -o json)"]);
  assert.equal(textAt(only, "verifyCommand"), "oc get node n0; oc get node n1; oc get node n10");
});

test("the commands of others say whose they are, and verify nothing", () => {
  const origin = { kind: "operator", package: "shop", version: "1.2.3", file: "carts.yaml" } as const;
  const own = finding("OlmShopCarts", { see: ["oc get carts"], fix: ["oc delete cart a"] });
  const brought = report({
    target: report().source,
    checks: [{ ...check("sample", { kind: "risk", findings: [own], notices: [] }), origin }],
    risks: [risk("OlmShopCarts", { origin, effect: "broken" })],
  });
  const [only] = read(brought).findings;
  assert.equal(textAt(only, "verifyCommand"), undefined);
  assert.equal(
    textAt(only, "prerequisite"),
    "Change it before updating. Fix (from operator shop 1.2.3): oc delete cart a See (from operator shop 1.2.3): oc get carts",
  );
});

test("all operators that OLM installed are listed, and one without a last release is called neither", () => {
  const operators: readonly OlmOperator[] = [
    { name: "a", namespace: "x", version: "1.0.0", lastRelease: "4.18", supportsTarget: false },
    {
      name: "b",
      namespace: "x",
      lastRelease: "4.20",
      supportsTarget: true,
      subscription: { approval: "Manual", next: "b.v2" },
    },
    { name: "c", namespace: "y", subscription: { channel: "stable", source: "certified", approval: "Automatic" } },
  ];
  const clear = { ...CLEAR, checks: [{ ...check("a", { kind: "clear", notices: [] }), operators }] };
  assert.deepEqual(read(clear).operators, {
    type: "ota_olm_operator_status",
    operators: [
      { name: "a", namespace: "x", installedVersion: "1.0.0", compatibleWithTarget: false, ocpCompat: { max: "4.18" } },
      {
        name: "b",
        namespace: "x",
        installPlanApproval: "Manual",
        pendingUpgrade: true,
        pendingVersion: "b.v2",
        compatibleWithTarget: true,
        ocpCompat: { max: "4.20" },
      },
      {
        name: "c",
        namespace: "y",
        channel: "stable",
        source: "certified",
        installPlanApproval: "Automatic",
        pendingUpgrade: false,
      },
    ],
    summary: { totalOperators: 3, pendingUpgrades: 1, manualApproval: 1, incompatibleWithTarget: 1 },
  });
});

test("a runner without a completed cycle escalates, and keeps what the last one found", () => {
  const of = reportOf([risk("A", { effect: "stuck" })]);
  const completed: CycleResult = { kind: "completed", report: of };
  const previous = buildDocument({ result: completed, run });
  assert.equal(readReadiness(formatRunnerReadiness(completed, previous)).decision, "block");
  const failure = { reason: "ClusterUnreachable", message: "connect ECONNREFUSED" } as const;
  const failed: CycleResult = { kind: "failed", failure, observedAt: OBSERVED };
  for (const result of ["running", failed] as const) {
    const document = buildDocument({ result, run, previous });
    const { decision, rows, findings } = readReadiness(formatRunnerReadiness(result, document));
    assert.deepEqual([decision, rows["4.18.8 -> 4.20.3"]], ["escalate", "error"]);
    assert.deepEqual(
      findings.map((one) => textAt(one, "detail")),
      [
        `Nothing is known of this update now. ${result === "running" ? "The first cycle has not completed yet." : "ClusterUnreachable: connect ECONNREFUSED"}`,
        "Found at 2026-03-01T10:00:00Z: A: Node cluster is hit by A. Change it before updating. https://docs.example/A",
      ],
    );
  }
});

test("the schema refuses what the page can't show", () => {
  const { analysisData } = JSON.parse(formats.readiness(buildView()));
  const [summary, ...others] = analysisData;
  const refused = [
    { analysisData: [] },
    { analysisData: others },
    { analysisData: [{ ...summary, decision: "go" }] },
    { analysisData: [{ ...summary, checks: [{ name: "a", status: "unknown" }] }] },
    { analysisData: [summary, { type: "ota_finding", severity: "critical", check: "a", detail: "b" }] },
    { analysisData: [summary, { type: "ota_olm_operator_status", operators: [], summary: {} }] },
    { analysisData: [{ ...summary, checks: [{ name: "a", status: "pass", detail: "two\nlines" }] }] },
  ];
  for (const one of refused) assert.equal(readinessValidator(one), false, JSON.stringify(one).slice(0, 80));
});

test("a check that was left out is an error, unless that is accepted with a reason", () => {
  const leave = (accepted?: { readonly check: string; readonly reason: string }) =>
    report({
      target: report().source,
      checks: [
        check("a", { kind: "clear", notices: [] }),
        {
          ...check("b", {
            kind: "unknown",
            unknowns: [createUnknown("--skip", { reason: "LeftOut" })],
            findings: [],
            notices: [],
          }),
          leftOut: { accepted },
        },
      ],
    });
  assert.deepEqual([read(leave()).decision, read(leave()).rows["b"]], ["escalate", "error"]);
  const accepted = read(leave({ check: "b", reason: "no such nodes" }));
  assert.deepEqual([accepted.decision, accepted.rows["b"]], ["caution", "warn"]);
});
