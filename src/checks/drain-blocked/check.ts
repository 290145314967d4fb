import { type Unknown, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { buildTopologyRead } from "../../model/infrastructure.ts";
import { defined } from "../../model/optional.ts";
import { each, onlyOn } from "../../model/read.ts";
import { formatRef } from "../../model/resource.ts";
import { keepBudget, refOfBudget } from "./budget.ts";
import { type JudgedBudget, isHandled, buildNotices } from "./notices.ts";
import { type Overlap, findOverlaps } from "./overlap.ts";
import {
  drainBlockedByDisruptionBudget,
  disruptionBudgetNotComputed,
  podsInSeveralDisruptionBudgets,
} from "./risks.ts";
import { judgeBudget } from "./verdict.ts";

export default defineCheck({
  id: "drain-blocked",
  name: "DrainBlocked",
  title: "Pod disruption budgets allow nodes to be drained",
  risks: [drainBlockedByDisruptionBudget, disruptionBudgetNotComputed, podsInSeveralDisruptionBudgets],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  portable: true,
  reads: () => ({
    topology: onlyOn("openshift", buildTopologyRead()),
    budgets: each("policy/v1/poddisruptionbudgets", keepBudget),
  }),
  evaluate({ topology, budgets }, { now }): Judgement {
    if (topology.kind === "found" && topology.value === "SingleReplica")
      return { notApplicable: "The cluster has a single control-plane node, so nodes restart without a drain." };
    if (budgets.kind === "absent")
      return { notApplicable: "The API server does not serve poddisruptionbudgets of policy/v1." };
    const judgedBudgets = budgets.values.map((budget): JudgedBudget => ({ budget, verdict: judgeBudget(budget, now) }));
    return {
      findings: [...judgedBudgets.flatMap(buildFindings), ...findOverlaps(budgets.values).map(buildOverlapFinding)],
      notices: buildNotices(judgedBudgets),
      unknowns: judgedBudgets.flatMap(buildUnknowns),
    };
  },
});

function buildFindings({ budget, verdict }: JudgedBudget): readonly Finding[] {
  const { limitPath, failure, manager, countsNoPods } = budget;
  const object = refOfBudget(budget);
  if (verdict === "notComputed") {
    const message = `The disruption controller can't compute it: ${failure?.message || "no reason reported"}.`;
    return [{ risk: disruptionBudgetNotComputed.name, object, message }];
  }
  if (verdict !== "never" || manager) return [];
  const message = countsNoPods
    ? "Its pods have no controller and are not counted, so no healthy pod can be evicted."
    : "It requires at least as many healthy pods as exist, so no healthy pod can be evicted.";
  return [{ risk: drainBlockedByDisruptionBudget.name, object, ...defined({ path: limitPath }), message }];
}

function buildOverlapFinding({ budget, other }: Overlap): Finding {
  const message = `Its pods also belong to ${formatRef(refOfBudget(other))}, and a running pod with two budgets can't be evicted.`;
  return { risk: podsInSeveralDisruptionBudgets.name, object: refOfBudget(budget), path: "spec.selector", message };
}

function buildUnknowns({ budget, verdict }: JudgedBudget): readonly Unknown[] {
  if (verdict !== "notUnderstood" && verdict !== "stale") return [];
  const where = formatRef(refOfBudget(budget));
  if (verdict === "notUnderstood")
    return [{ reason: "NotUnderstood", where, message: "its status lacks the numbers of pods" }];
  if (budget.manager && isHandled(verdict)) return [];
  const message =
    "its status doesn't cover its latest spec yet: run the check again in a minute, and if that doesn't help, check that kube-controller-manager runs";
  return [{ reason: "StaleStatus", where, message }];
}
