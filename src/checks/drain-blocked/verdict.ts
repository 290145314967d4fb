import { getAge } from "../../model/time.ts";
import type { Budget, BudgetState, DisruptionLimit, SyncFailure } from "./budget.ts";

/** What a budget means for the drain of a node. */
export type DrainVerdict =
  /** It can spare a pod, or has no pods. */
  | "free"
  /** It can't spare any of its pods, even if all are healthy: it requires all of them, or counts none because they have no controller. */
  | "never"
  /** It can't spare a pod now, because no more pods are healthy than it requires. */
  | "notNow"
  /** The disruption controller has failed to compute it for longer than the grace period, and so allows no eviction. */
  | "notComputed"
  /** The same, but within the grace period. */
  | "notComputedYet"
  /** The same, but its pods belong to a DaemonSet, and drains don't evict those. */
  | "ofDaemonSet"
  /** Its status doesn't cover its latest spec. */
  | "stale"
  | "notUnderstood";

/** How long the disruption controller may fail to compute a budget before that is a risk. */
const GRACE_PERIOD_MS = 10 * 60_000;

export function judgeBudget({ verdict, failure }: Budget, now: Date): DrainVerdict {
  return failure ? judgeFailure(failure, now) : (verdict ?? "notUnderstood");
}

/** Follows the eviction API: neither a status of an earlier spec nor disruptionsAllowed of 0 allows an eviction. */
export function judgeState(budget: BudgetState): DrainVerdict {
  if (budget.isStale) return requiresAllPods(budget, countRequiredPods(budget)) ? "never" : "stale";
  const { expectedPods, desiredHealthy, disruptionsAllowed } = budget;
  if (expectedPods === undefined || desiredHealthy === undefined || disruptionsAllowed === undefined)
    return "notUnderstood";
  if (disruptionsAllowed > 0 || !hasPods(budget)) return "free";
  return expectedPods <= 0 || requiresAllPods(budget, desiredHealthy) ? "never" : "notNow";
}

/** DaemonSets have no scale, so the disruption controller fails with this message on a budget that needs one. */
function judgeFailure({ message, since }: SyncFailure, now: Date): DrainVerdict {
  if (/\bdaemonsets\.apps does not implement the scale/.test(message)) return "ofDaemonSet";
  return (getAge(since, now) ?? GRACE_PERIOD_MS) < GRACE_PERIOD_MS ? "notComputedYet" : "notComputed";
}

function requiresAllPods({ expectedPods = 0 }: BudgetState, required: number | undefined): boolean {
  return expectedPods > 0 && required !== undefined && required >= expectedPods;
}

/** The healthy pods that spec requires, out of the last counted ones. */
function countRequiredPods({ limit, expectedPods = 0 }: BudgetState): number | undefined {
  if (limit === undefined) return undefined;
  const pods = countLimitPods(limit, expectedPods);
  return limit.field === "spec.minAvailable" ? pods : expectedPods - pods;
}

/** The disruption controller rounds both up. */
function countLimitPods({ amount, isPercent }: DisruptionLimit, expectedPods: number): number {
  return isPercent ? Math.ceil((amount * expectedPods) / 100) : amount;
}

export function hasPods({ expectedPods = 0, currentHealthy = 0 }: BudgetState): boolean {
  return expectedPods > 0 || currentHealthy > 0;
}
