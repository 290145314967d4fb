import { getAge } from "../../model/time.ts";
import type { Budget, BudgetState, DisruptionLimit, SyncFailure } from "./budget.ts";

/** How a budget stands to the drain of a node. */
export type DrainVerdict =
  /** It spares a pod, or has none. */
  | "free"
  /** It can't spare any of its pods, even if all are healthy. */
  | "never"
  /** It spares none at present, for some of its pods are not healthy. */
  | "notNow"
  /** The disruption controller can't compute it, and has not been able to for a while: no eviction is allowed then. */
  | "notComputed"
  /** The same, since a moment. */
  | "notComputedYet"
  /** The same, but its pods are a DaemonSet's, which no drain evicts. */
  | "ofDaemonSet"
  /** Its status is not that of its spec. */
  | "stale"
  | "notUnderstood";

export const DRAIN_VERDICTS: readonly DrainVerdict[] = [
  "free",
  "never",
  "notNow",
  "notComputed",
  "notComputedYet",
  "ofDaemonSet",
  "stale",
  "notUnderstood",
];

/** How long a budget may not be computed before it is more than a passing trouble of the disruption controller. */
const GRACE_PERIOD_MS = 10 * 60_000;

export function judgeBudget({ verdict, failure }: Budget, now: Date): DrainVerdict {
  return failure ? judgeFailure(failure, now) : (verdict ?? "notUnderstood");
}

/** As the eviction API does: a status of an earlier spec allows no eviction, nor does disruptionsAllowed of 0. */
export function judgeState(budget: BudgetState): DrainVerdict {
  if (budget.isStale) return requiresAllPods(budget, countRequiredPods(budget)) ? "never" : "stale";
  const { expectedPods, desiredHealthy, disruptionsAllowed } = budget;
  if (expectedPods === undefined || desiredHealthy === undefined || disruptionsAllowed === undefined)
    return "notUnderstood";
  if (expectedPods <= 0) return "free";
  if (requiresAllPods(budget, desiredHealthy)) return "never";
  return disruptionsAllowed > 0 ? "free" : "notNow";
}

/** DaemonSets have no scale, so a budget that needs one fails on them, in these words of the disruption controller. */
function judgeFailure({ message, since }: SyncFailure, now: Date): DrainVerdict {
  if (/\bdaemonsets\.apps does not implement the scale/.test(message)) return "ofDaemonSet";
  return (getAge(since, now) ?? GRACE_PERIOD_MS) < GRACE_PERIOD_MS ? "notComputedYet" : "notComputed";
}

function requiresAllPods({ expectedPods = 0 }: BudgetState, required: number | undefined): boolean {
  return expectedPods > 0 && required !== undefined && required >= expectedPods;
}

/** The healthy pods that spec asks for, of as many as were last counted. */
function countRequiredPods({ limit, expectedPods = 0 }: BudgetState): number | undefined {
  if (limit === undefined) return undefined;
  const pods = countLimitPods(limit, expectedPods);
  return limit.field === "spec.minAvailable" ? pods : expectedPods - pods;
}

/** The disruption controller rounds both up. */
function countLimitPods({ amount, isPercent }: DisruptionLimit, expectedPods: number): number {
  return isPercent ? Math.ceil((amount * expectedPods) / 100) : amount;
}
