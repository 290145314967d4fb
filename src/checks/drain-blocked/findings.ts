import type { Finding, Unknown } from "../../model/check.ts";
import { summarizeNames } from "../../model/names.ts";
import { formatRef } from "../../model/resource.ts";
import { type Budget, type BudgetState, getLimitPath, refOfBudget } from "./budget.ts";
import { isHandled } from "./notices.ts";
import type { Overlap } from "./overlap.ts";
import type { SelectedPods } from "./selected-pods.ts";
import { risks } from "./risks.ts";
import type { DrainVerdict } from "./verdict.ts";

/** `pods` is undefined if the status alone decides. */
export function buildFindings(budget: Budget, verdict: DrainVerdict, pods?: SelectedPods): readonly Finding[] {
  if (verdict === "notComputed") return [buildNotComputedFinding(budget)];
  const message = formatNever(budget, verdict, pods);
  const object = refOfBudget(budget);
  if (budget.manager) return [];
  if (verdict === "exhausted") {
    const text = "It has allowed no disruption for at least 2 hours, so no healthy pod can be evicted now.";
    return [{ risk: risks.DisruptionBudgetExhausted.name, object, message: text }];
  }
  if (message === undefined) return [];
  const path = verdict === "selectsPart" ? "spec.selector" : getLimitPath(budget);
  const limit = findSparingLimit(budget, verdict, pods);
  const detail = limit === undefined ? undefined : { limit };
  return [{ risk: risks.DrainBlockedByDisruptionBudget.name, object, path, detail, message }];
}

/** The limit with which one of the healthy pods may be evicted; a number in minAvailable also suits pods without a controller. */
function findSparingLimit({ state }: Budget, verdict: DrainVerdict, pods?: SelectedPods): string | undefined {
  if (verdict !== "requiresAll" || state?.limit === undefined) return undefined;
  const { field, isPercent } = state.limit;
  if (field === "maxUnavailable" || isPercent) return "maxUnavailable 1";
  const count = countPossible(state, pods);
  return count > 0 ? `minAvailable ${count - 1}` : undefined;
}

/** The pods that are healthy or can become so. */
function countPossible({ numbers }: BudgetState, pods?: SelectedPods): number {
  return pods ? pods.managed + pods.bare : (numbers?.expectedPods ?? 0);
}

function formatNever(budget: Budget, verdict: DrainVerdict, pods?: SelectedPods): string | undefined {
  if (verdict === "requiresAll") return formatRequiresAll(budget, pods);
  const message = NEVER_MESSAGES[verdict];
  return verdict === "selectsPart" && hasSurplus(budget, pods)
    ? `${message} There are more pods than replicas now, as during a rollout: look again when it has ended.`
    : message;
}

/** Pods that the selector doesn't take count as permanent, surplus ones too. */
function hasSurplus({ state }: Budget, pods?: SelectedPods): boolean {
  return pods !== undefined && pods.managed + pods.siblings > (state?.numbers?.expectedPods ?? 0);
}

function formatRequiresAll({ state }: Budget, pods?: SelectedPods): string {
  if (state?.limit === undefined) return "It requires all pods, so none can be evicted.";
  const { field, amount, isPercent } = state.limit;
  if (isPercent || field === "maxUnavailable")
    return `${field} ${amount}${isPercent ? "%" : ""} spares no pod, so none can be evicted.`;
  const relation = amount > countPossible(state, pods) ? "exceeds" : "equals";
  const missing = pods?.managed === 0 ? "" : ", not counting replicas that are missing now";
  return `${field} ${relation} the number of pods${missing}, so none can be evicted.`;
}

const NEVER_MESSAGES: { readonly [K in DrainVerdict]?: string } = {
  requiresGone:
    "It requires as many healthy pods as exist, not counting those that have ended or are being deleted. No healthy pod can be evicted.",
  selectsPart:
    "Its limit counts all replicas of a controller, but its selector takes only some of their pods, so no healthy pod can be evicted.",
  countsNone: "Its limit counts the replicas of controllers, and its pods have none, so no healthy pod can be evicted.",
};

function buildNotComputedFinding(budget: Budget): Finding {
  const reason = (budget.state?.failure ?? "").replace(/[.\s]+$/, "");
  const message = `The disruption controller can't compute it: ${reason}.`;
  return { risk: risks.DisruptionBudgetNotComputed.name, object: refOfBudget(budget), message };
}

export function buildOverlapFinding({ budget, other, pods }: Overlap): Finding {
  const subject = pods.length === 0 ? "Its pods" : `${pods.length === 1 ? "Pod" : "Pods"} ${summarizeNames(pods)}`;
  const message = `${subject} also ${pods.length === 1 ? "belongs" : "belong"} to ${formatRef(refOfBudget(other))}, and a running pod with two budgets can't be evicted.`;
  const detail = { other: other.name };
  return {
    risk: risks.PodsInSeveralDisruptionBudgets.name,
    object: refOfBudget(budget),
    path: "spec.selector",
    message,
    detail,
  };
}

export function buildUnknowns(budget: Budget, verdict: DrainVerdict): readonly Unknown[] {
  if (verdict !== "notUnderstood" && verdict !== "stale") return [];
  const where = formatRef(refOfBudget(budget));
  if (verdict === "notUnderstood")
    return [{ reason: "NotReported", where, message: "its status lacks the numbers of pods" }];
  if (budget.manager && isHandled(verdict)) return [];
  return [{ reason: "StaleStatus", where, message: "its status doesn't cover its latest spec yet" }];
}
