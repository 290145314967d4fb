import { type Blind, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { textAt } from "../../model/json.ts";
import { each, get, onlyOn } from "../../model/read.ts";
import { refText } from "../../model/resource.ts";
import { keepBudget } from "./budget.ts";
import { type Judged, isHandled, noticesOf } from "./notices.ts";
import { type Overlap, overlaps } from "./overlap.ts";
import { neverAllows, notComputed, severalBudgets } from "./risks.ts";
import { verdictOf } from "./verdict.ts";

export default defineCheck({
  id: "drain-blocked",
  name: "DrainBlocked",
  title: "Pod disruption budgets let nodes be drained",
  risks: [neverAllows, notComputed, severalBudgets],
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
    budgets: each("policy/v1/poddisruptionbudgets", keepBudget),
  }),
  evaluate({ infrastructure, budgets }, { now }): Judgement {
    if (infrastructure.kind === "found" && infrastructure.value.topology === "SingleReplica")
      return { notApplicable: "The cluster has a single control plane node, and nodes are restarted without a drain." };
    if (budgets.kind === "absent") return { notApplicable: "The API server serves no policy/v1 PodDisruptionBudget." };
    const judged = budgets.values.map((budget): Judged => ({ budget, verdict: verdictOf(budget, now) }));
    return {
      findings: [...judged.flatMap(findingOf), ...overlaps(budgets.values).map(overlapFinding)],
      notices: noticesOf(judged),
      blind: judged.flatMap(blindFor),
    };
  },
});

function findingOf({ budget, verdict }: Judged): readonly Finding[] {
  const { object, limit, failure, manager } = budget;
  if (verdict === "notComputed") {
    const message = `The disruption controller can't compute it: ${failure?.message || "it doesn't say why"}.`;
    return [{ risk: notComputed.name, object, message }];
  }
  if (verdict !== "never" || manager) return [];
  const message = "It asks for at least as many healthy pods as there are, so none may be evicted.";
  return [{ risk: neverAllows.name, object, ...(limit ? { path: limit.field } : {}), message }];
}

function overlapFinding({ budget, other }: Overlap): Finding {
  const message = `Its pods belong to ${refText(other.object)} too, and no pod with two budgets can be evicted.`;
  return { risk: severalBudgets.name, object: budget.object, path: "spec.selector", message };
}

function blindFor({ budget, verdict }: Judged): readonly Blind[] {
  const where = refText(budget.object);
  if (verdict === "notUnderstood")
    return [{ reason: "NotUnderstood", where, message: "its status lacks numbers of pods" }];
  if (verdict !== "stale" || (budget.manager && isHandled(verdict))) return [];
  const message =
    "its status is not yet that of its spec: look again in a moment, or see whether kube-controller-manager runs";
  return [{ reason: "StaleStatus", where, message }];
}
