import { type Unknown, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { textAt } from "../../model/json.ts";
import { each, get, onlyOn } from "../../model/read.ts";
import { formatRef } from "../../model/resource.ts";
import { keepBudget, refOfBudget } from "./budget.ts";
import { type JudgedBudget, isHandled, buildNotices } from "./notices.ts";
import { packBudget, unpackByNamespace } from "./packed-budget.ts";
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
  title: "Pod disruption budgets let nodes be drained",
  risks: [drainBlockedByDisruptionBudget, disruptionBudgetNotComputed, podsInSeveralDisruptionBudgets],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  portable: true,
  reads: () => ({
    infrastructure: onlyOn(
      "openshift",
      get("config.openshift.io/v1/infrastructures", "cluster", (object) => ({
        topology: textAt(object, "status", "controlPlaneTopology"),
      })),
    ),
    budgets: each("policy/v1/poddisruptionbudgets", (object) => packBudget(keepBudget(object))),
  }),
  evaluate({ infrastructure, budgets }, { now }): Judgement {
    if (infrastructure.kind === "found" && infrastructure.value.topology === "SingleReplica")
      return { notApplicable: "The cluster has a single control plane node, and nodes are restarted without a drain." };
    if (budgets.kind === "absent") return { notApplicable: "The API server serves no policy/v1 PodDisruptionBudget." };
    const findings: Finding[] = [];
    const others: JudgedBudget[] = [];
    for (const group of unpackByNamespace(budgets.values)) {
      for (const budget of group) {
        const verdict = judgeBudget(budget, now);
        findings.push(...buildFindings({ budget, verdict }));
        if (verdict !== "free" && (verdict !== "never" || budget.manager)) others.push({ budget, verdict });
      }
      findings.push(...findOverlaps(group).map(buildOverlapFinding));
    }
    return { findings, notices: buildNotices(others), unknowns: others.flatMap(buildUnknowns) };
  },
});

function buildFindings({ budget, verdict }: JudgedBudget): readonly Finding[] {
  const { setsMaxUnavailable, failure, manager } = budget;
  if (verdict === "notComputed") {
    const object = refOfBudget(budget);
    const message = `The disruption controller can't compute it: ${failure?.message || "it doesn't say why"}.`;
    return [{ risk: disruptionBudgetNotComputed.name, object, message }];
  }
  if (verdict !== "never" || manager) return [];
  const message = "It asks for at least as many healthy pods as there are, so none may be evicted.";
  const path = setsMaxUnavailable ? "spec.maxUnavailable" : "spec.minAvailable";
  return [
    {
      risk: drainBlockedByDisruptionBudget.name,
      object: refOfBudget(budget),
      ...(setsMaxUnavailable === undefined ? {} : { path }),
      message,
    },
  ];
}

function buildOverlapFinding({ budget, other }: Overlap): Finding {
  const message = `Its pods belong to ${formatRef(refOfBudget(other))} too, and no pod with two budgets can be evicted.`;
  return { risk: podsInSeveralDisruptionBudgets.name, object: refOfBudget(budget), path: "spec.selector", message };
}

function buildUnknowns({ budget, verdict }: JudgedBudget): readonly Unknown[] {
  if (verdict !== "notUnderstood" && verdict !== "stale") return [];
  const where = formatRef(refOfBudget(budget));
  if (verdict === "notUnderstood")
    return [{ reason: "NotUnderstood", where, message: "its status lacks numbers of pods" }];
  if (budget.manager && isHandled(verdict)) return [];
  const message =
    "its status is not yet that of its spec: look again in a moment, or see whether kube-controller-manager runs";
  return [{ reason: "StaleStatus", where, message }];
}
