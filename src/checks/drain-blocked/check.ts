import { type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { buildTopologyRead } from "../../model/infrastructure.ts";
import { type GetResult, each, onlyOn, soundInPart } from "../../model/read.ts";
import { type Budget, parseBudget } from "./budget.ts";
import {
  buildFindings,
  buildOverlapFinding,
  buildUnknowns,
  createNoticeCollector,
  createUnknownCollector,
  risks,
} from "./findings.ts";
import { findOverlaps, judgeBudget } from "./verdict.ts";
import { type BudgetPod, readsPods, buildPodsRead, countSelectedPods, findSelectedPods } from "./pods.ts";

export default defineCheck({
  id: "drain-blocked",
  title: "Pod disruption budgets allow nodes to be drained",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  platforms: ["openshift", "kubernetes"],
  reads: () => ({
    topology: onlyOn("openshift", buildTopologyRead()),
    budgets: soundInPart("namespace", each("policy/v1/poddisruptionbudgets", parseBudget)),
  }),
  mayRead: () => ({ pods: each("v1/pods", () => undefined) }),
  follow: ({ topology, budgets }) =>
    isSingleNode(topology) || budgets.kind === "absent" ? {} : { pods: buildPodsRead(budgets.values) },
  evaluate({ topology, budgets }, { now }, { pods }): Judgement {
    if (isSingleNode(topology))
      return { notApplicable: "The cluster has a single control-plane node, so nodes restart without a drain." };
    if (budgets.kind === "absent")
      return { notApplicable: "The API server does not serve poddisruptionbudgets of policy/v1." };
    // Without the pods nobody knows what such a budget blocks; the runner reports that they could not be read.
    const judged = pods === undefined ? budgets.values.filter((budget) => !readsPods(budget)) : budgets.values;
    return judgeBudgets(judged, pods?.kind === "found" ? pods.values : undefined, now);
  },
});

function isSingleNode(topology: GetResult<string>): boolean {
  return topology.kind === "found" && topology.value === "SingleReplica";
}

function judgeBudgets(all: readonly Budget[], allPods: readonly BudgetPod[] | undefined, now: Date): Judgement {
  const podsByNamespace = Map.groupBy(allPods ?? [], ({ namespace }) => namespace);
  const findings: Finding[] = [];
  const unknowns = createUnknownCollector();
  const notices = createNoticeCollector();
  for (const [namespace, budgets] of Map.groupBy(all, (budget) => budget.namespace)) {
    const namespacePods = podsByNamespace.get(namespace) ?? [];
    const count = allPods && countSelectedPods(namespacePods);
    for (const [i, budget] of budgets.entries()) {
      const pods = count && findSelectedPods(budget, count(i));
      const verdict = judgeBudget(budget, pods, now);
      findings.push(...buildFindings(budget, verdict, pods));
      unknowns.add(buildUnknowns(budget, verdict));
      notices.add(budget, verdict, pods);
    }
    if (allPods === undefined) continue;
    for (const overlap of findOverlaps(budgets, namespacePods)) findings.push(buildOverlapFinding(overlap));
  }
  return { findings, notices: notices.notices(), unknowns: unknowns.result() };
}
