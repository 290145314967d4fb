import { compareResults } from "../../src/format/comparison/comparison.ts";
import { comparisonFormats } from "../../src/format/comparison/index.ts";
import { crdsFormats } from "../../src/format/crds.ts";
import { formatFleetHtml } from "../../src/format/fleet/fleet-html.ts";
import { formats } from "../../src/format/index.ts";
import { planFormats, playbookFormats } from "../../src/format/plan/index.ts";
import { targetsFormats } from "../../src/format/targets/index.ts";
import type { CrdsReport } from "../../src/model/crd-changes.ts";
import { buildReport, clearCheck, resultOf, riskyCheck, unknownCheck } from "./result-sample.ts";
import { readLargeSample, readSample } from "./fleet-sample.ts";
import { HTML_VIEWS } from "./html-samples.ts";
import { fullPlan, planByRule } from "./plan-sample.ts";
import { version } from "./sample.ts";
import { buildEvilView } from "./view-sample.ts";

const PLAYBOOK = {
  recheck: "preflight plan --to 4.20",
  recheckSome: "preflight plan --to 4.20",
  command: "preflight playbook --to 4.20",
  isRoute: true,
} as const;
const STYLE = { colour: false, width: 80 } as const;

function formatComparison(): string {
  const old = buildReport([riskyCheck("KubeletTooOld", ["worker-0"]), riskyCheck("EtcdNotHealthy", ["master-1"])]);
  const now = buildReport([
    riskyCheck("KubeletTooOld", ["worker-0", "worker-1", "worker-2"]),
    riskyCheck("MachineConfigPoolPaused", ["worker"]),
    unknownCheck("etcdnothealthy", "etcds.operator.openshift.io cluster"),
    clearCheck("nodes"),
  ]);
  const comparison = compareResults(resultOf(old, [], "results/april.json"), resultOf(now, [], "results/may.json"));
  return comparisonFormats.html({ comparison, ...STYLE });
}

function formatTargets(): string {
  const shared = riskyCheck("DrainBlockedByDisruptionBudget", ["worker-0"]);
  const first = buildReport([shared, riskyCheck("KubeletTooOld", ["worker-1"]), clearCheck("b")], {
    target: version("4.19.12"),
  });
  const second = buildReport([shared, clearCheck("kubelettooold"), unknownCheck("b", "nodes")], {
    target: version("4.19.13"),
  });
  const targets = [
    { kind: "checked", label: "4.19.12", report: first, accepted: new Set<string>() },
    { kind: "checked", label: "4.19.13", report: second, accepted: new Set<string>() },
    { kind: "notChecked", label: "4.20.1", message: "the release image can't be read: 404" },
  ] as const;
  return targetsFormats.html({ targets, cluster: { kind: "recorded", folder: "demo" }, ...STYLE });
}

const CRDS: CrdsReport = {
  from: "released/",
  to: "config/crd/bases/",
  kubernetes: "v1.34.0",
  featureSet: "Default",
  profile: "self-managed-high-availability",
  isAnnotated: true,
  crds: 4,
  objects: 12,
  notJudged: { crds: 1, variants: 0, objects: 0 },
  changes: [
    {
      effect: "rejected",
      crd: "widgets.example.com",
      version: "v1",
      path: "spec.size",
      object: { apiVersion: "example.com/v1", kind: "Widget", namespace: "shop", name: "large-widget-of-the-shop" },
      message: "50 is more than the maximum of 40",
      place: { file: "config/crd/bases/example.com_widgets.yaml", line: 41 },
    },
    {
      effect: "stricter",
      crd: "widgets.example.com",
      version: "v1",
      path: "spec.size",
      message: "has a maximum of 40",
    },
  ],
  unknowns: [
    {
      reason: "NoCrd",
      where: "gadgets.example.com",
      message: "no CRD of this kind is given",
      file: "samples/gadget.yaml",
    },
  ],
  leftOut: [],
  notices: ["The CRD widgets.example.com has a conversion webhook, which was not called."],
};

/** Every kind of page, by name: a report with much, with all kinds of states, with nothing; and of each other command. */
export async function buildPages(): Promise<Readonly<Record<string, string>>> {
  const reports = Object.entries({ ...HTML_VIEWS, evil: buildEvilView() });
  const plan = (of: typeof fullPlan): string => planFormats.html({ plan: of, judged: [], ...STYLE });
  const reportsOfClusters = new Map([["prod-eu-west-1", "preflight-fleet/prod-eu-west-1.html"]]);
  return {
    ...Object.fromEntries(reports.map(([name, view]) => [name, formats.html(view)])),
    plan: plan(fullPlan),
    "plan-by-rule": plan(planByRule),
    playbook: playbookFormats.html({ plan: fullPlan, judged: [[], []], ...PLAYBOOK }),
    comparison: formatComparison(),
    targets: formatTargets(),
    crds: crdsFormats.html({ report: CRDS, ...STYLE }),
    fleet: formatFleetHtml(await readSample()),
    "fleet-large": formatFleetHtml(await readLargeSample(), { reports: reportsOfClusters }),
  };
}
