import type { JudgedAcceptance } from "../../src/model/unseen.ts";
import type { Plan, PlannedStep } from "../../src/model/plan.ts";
import type { Recommendation, RouteStep } from "../../src/model/route.ts";
import { check, finding, OBSERVED, report, reportOf, risk, version } from "./sample.ts";

/** Acceptances of these risks that hold. */
export function acceptAll(risks: Iterable<string>): readonly JudgedAcceptance[] {
  return [...risks].map((risk) => ({ acceptance: { risk }, state: { kind: "accepted" } }));
}

const RISKS = [
  {
    name: "ExampleRisk",
    message: "Pods may restart.",
    url: "https://docs.example/risk",
    matchingRules: [{ type: "Always" }],
  },
];

export function buildStep(text: string, recommendation: Recommendation = { kind: "recommended" }): RouteStep {
  const image = `registry.example.com/release@sha256:${text}`;
  return { to: { kind: "release", version: version(text), image, channels: [] }, recommendation };
}

const cgroup = risk("CgroupModeRemoved", { check: "cgroup" });
const drain = risk("DrainBlocked", { check: "drain" });
const first = report({
  target: version("4.19.12"),
  checks: [check("drain", { kind: "risk", findings: [finding("DrainBlocked")], notices: ["A budget has no pods."] })],
  risks: [drain],
});
const second = report({
  source: version("4.19.12"),
  target: version("4.20.4"),
  checks: [
    check("cgroup", { kind: "risk", findings: [finding("CgroupModeRemoved")], notices: [] }),
    check("drain", { kind: "risk", findings: [finding("DrainBlocked")], notices: [] }),
  ],
  risks: [cgroup, drain],
});

const steps: readonly PlannedStep[] = [
  {
    from: "4.18.8",
    step: buildStep("4.19.12"),
    channel: "stable-4.19",
    result: { kind: "checked", report: first, pending: [], repeated: new Map() },
  },
  {
    from: "4.19.12",
    step: buildStep("4.20.4", { kind: "conditional", risks: RISKS, exposure: "notEvaluated" }),
    result: {
      kind: "checked",
      report: second,
      pending: [{ id: "etcd-health", reason: "The members of etcd are updated too." }],
      repeated: new Map([["DrainBlocked", 1]]),
    },
  },
];

/** A plan of two updates with something in every section. */
export const fullPlan: Plan = {
  route: { basis: "graph", source: version("4.18.8"), steps: steps.map(({ step }) => step) },
  observedAt: OBSERVED,
  steps,
  controlPlaneOnly: { pools: ["infra", "worker"] },
};

const minor: RouteStep = {
  to: { kind: "minor", minor: { major: 4, minor: 19 }, text: "4.19" },
  recommendation: { kind: "unknown" },
};
const last = buildStep("4.20.4", { kind: "unknown" });

/** A plan by rule, without a release of the minor between. */
export const planByRule: Plan = {
  route: { basis: "rule", source: version("4.18.8"), steps: [minor, last] },
  observedAt: OBSERVED,
  steps: [
    { from: "4.18.8", step: minor, result: { kind: "notChecked", message: "no release of 4.19 is at hand" } },
    {
      from: "4.19",
      step: last,
      result: {
        kind: "checked",
        report: reportOf([risk("DrainBlocked")], { target: version("4.20.4") }),
        pending: [],
        repeated: new Map(),
      },
    },
  ],
};
