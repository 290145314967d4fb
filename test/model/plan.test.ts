import assert from "node:assert/strict";
import { test } from "node:test";
import { type PlannedStep, isPlanComplete, listReports } from "../../src/model/plan.ts";
import type { Report } from "../../src/model/report.ts";
import { type Recommendation, type Route, formatStepTarget, isRecommended } from "../../src/model/route.ts";
import type { Unseen } from "../../src/model/unseen.ts";
import { version } from "../support/fixtures.ts";

function report(name: string, unseen: readonly Unseen[] = []): Report {
  const texts = { title: name, description: "", remediation: "", message: "", url: "https://h" };
  return {
    source: version("4.18.1"),
    target: version("4.19.1"),
    digest: "sha256:0",
    observedAt: new Date(0),
    checks: [],
    risks: [{ name, unknown: false, ...texts }],
    unseen,
    coverage: { kinds: 0, objects: 0, bytes: 0 },
  };
}

const MINOR = { kind: "minor", minor: { major: 4, minor: 20 }, text: "4.20" } as const;
const RELEASE = { kind: "release", version: version("4.19.1"), channels: [] } as const;
const STEP = { from: "4.18.1", step: { to: MINOR, recommendation: { kind: "unknown" } } } as const;
const UNSEEN: Unseen = { risk: "A", unknown: { reason: "Forbidden", where: "v1/nodes", message: "" } };
const WHOLE = report("Whole");
const PART = report("Part", [UNSEEN]);
const [FIRST, LAST] = [WHOLE, PART].map((one): PlannedStep => ({
  ...STEP,
  result: { kind: "checked", report: one, pending: [], repeated: new Map() },
}));
const NOT_CHECKED: PlannedStep = { ...STEP, result: { kind: "notChecked", message: "no release" } };

function plan(...steps: readonly (PlannedStep | undefined)[]) {
  const route: Route = { basis: "graph", source: version("4.18.1"), steps: [] };
  return { route, observedAt: new Date(0), steps: steps.filter((step) => step !== undefined) };
}

test("a plan lists the results of its steps", () => {
  const all = plan(FIRST, NOT_CHECKED, LAST);
  assert.deepEqual(listReports(all), [WHOLE, undefined, PART]);
});

test("a plan is complete if every step was checked and saw everything", () => {
  const plans = [plan(), plan(FIRST), plan(FIRST, FIRST), plan(FIRST, LAST), plan(FIRST, NOT_CHECKED)];
  assert.deepEqual(plans.map(isPlanComplete), [true, true, true, false, false]);
});

test("an update is recommended without conditions, or with ones that do not concern the cluster", () => {
  const conditional = (exposure: "exposed" | "notExposed" | "notEvaluated"): Recommendation => ({
    kind: "conditional",
    risks: [],
    exposure,
  });
  const recommendations: readonly Recommendation[] = [
    { kind: "recommended" },
    conditional("notExposed"),
    conditional("exposed"),
    conditional("notEvaluated"),
    { kind: "notOffered" },
    { kind: "unknown" },
  ];
  assert.deepEqual(recommendations.map(isRecommended), [true, true, false, false, false, false]);
  assert.deepEqual([RELEASE, MINOR].map(formatStepTarget), ["4.19.1", "4.20"]);
});
