import { type Judgement, defineCheck } from "../../model/check.ts";
import { buildTopologyRead } from "../../model/infrastructure.ts";
import { defined } from "../../model/optional.ts";
import { type Each, type Get, type GetResult, each, onlyOn, soundInPart } from "../../model/read.ts";
import { createFindingCollector, createUnknownCollector } from "./collectors.ts";
import { buildFindings, buildOverlapFinding, buildUnknowns } from "./findings.ts";
import { createNoticeCollector } from "./notices.ts";
import { findOverlaps } from "./overlap.ts";
import { canOverlap } from "./needs-pods.ts";
import { eachNamespace, keepBudget } from "./packed-budget.ts";
import { buildPodsRead, groupPods, unpackPod } from "./pods.ts";
import {
  disruptionBudgetExhausted,
  disruptionBudgetNotComputed,
  drainBlockedByDisruptionBudget,
  podsInSeveralDisruptionBudgets,
} from "./risks.ts";
import { countSelectedPods, findSelectedPods } from "./selected-pods.ts";
import { isDecidedByStatus, judgeBudget } from "./verdict.ts";

type Reads = { readonly topology: Get<string>; readonly budgets: Each<string> };
type FollowUpReads = { readonly pods?: Each<string> };

export default defineCheck<Reads, FollowUpReads>({
  id: "drain-blocked",
  title: "Pod disruption budgets allow nodes to be drained",
  risks: [
    drainBlockedByDisruptionBudget,
    disruptionBudgetExhausted,
    disruptionBudgetNotComputed,
    podsInSeveralDisruptionBudgets,
  ],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  platforms: ["openshift", "kubernetes"],
  reads: () => ({
    topology: onlyOn("openshift", buildTopologyRead()),
    budgets: soundInPart("namespace", each("policy/v1/poddisruptionbudgets", keepBudget)),
  }),
  mayRead: () => ({ pods: each("v1/pods", () => "") }),
  follow: ({ topology, budgets }) =>
    isSingleNode(topology) || budgets.kind === "absent" ? {} : defined({ pods: buildPodsRead(budgets.values) }),
  evaluate({ topology, budgets }, { now }, { pods }): Judgement {
    if (isSingleNode(topology))
      return { notApplicable: "The cluster has a single control-plane node, so nodes restart without a drain." };
    if (budgets.kind === "absent")
      return { notApplicable: "The API server does not serve poddisruptionbudgets of policy/v1." };
    return judgeBudgets(budgets.values, pods?.kind === "found" ? pods.values : undefined, now);
  },
});

function isSingleNode(topology: GetResult<string>): boolean {
  return topology.kind === "found" && topology.value === "SingleReplica";
}

/** Goes through the namespaces one by one, since the budgets of all of them would take too much memory as objects. */
function judgeBudgets(packed: readonly string[], packedPods: readonly string[] | undefined, now: Date): Judgement {
  const podsByNamespace = groupPods(packedPods ?? []);
  const [findings, unknowns, notices] = [createFindingCollector(), createUnknownCollector(), createNoticeCollector()];
  let needsPods = false;
  for (const { namespace, budgets } of eachNamespace(packed)) {
    const namespacePods = (podsByNamespace.get(namespace) ?? []).map(unpackPod);
    const count = packedPods && countSelectedPods(namespacePods);
    needsPods ||= !budgets.every(isDecidedByStatus) || canOverlap(budgets);
    for (const [i, budget] of budgets.entries()) {
      const pods = count && findSelectedPods(budget, count(i));
      const verdict = judgeBudget(budget, pods, now);
      findings.add(buildFindings(budget, verdict, pods));
      unknowns.add(buildUnknowns(budget, verdict));
      notices.add(budget, verdict, pods);
    }
    findings.add(findOverlaps(budgets, namespacePods).map(buildOverlapFinding));
  }
  return {
    ...findings.result(),
    notices: notices.notices(),
    unknowns: unknowns.result(),
    irrelevantReads: needsPods ? [] : ["pods"],
  };
}
