import { ageOf } from "../../model/time.ts";
import type { Budget, Limit } from "./budget.ts";

/** How a budget stands to the drain of a node. */
export type Verdict =
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

/** How long a budget may not be computed before it is more than a passing trouble of the disruption controller. */
const PASSING_MS = 10 * 60_000;

/** By what the eviction API heeds: a status of an earlier spec allows nothing, nor does disruptionsAllowed of 0. */
export function verdictOf(budget: Budget, now: Date): Verdict {
  if (budget.failure) return ofFailure(budget.failure, now);
  if (budget.isStale) return keepsAll(budget, requiredBySpec(budget)) ? "never" : "stale";
  const { expectedPods, desiredHealthy, disruptionsAllowed } = budget;
  if (expectedPods === undefined || desiredHealthy === undefined || disruptionsAllowed === undefined)
    return "notUnderstood";
  if (expectedPods <= 0) return "free";
  if (keepsAll(budget, desiredHealthy)) return "never";
  return disruptionsAllowed > 0 ? "free" : "notNow";
}

/** DaemonSets have no scale, so a budget that needs one fails on them, in these words of the disruption controller. */
function ofFailure({ message, since }: NonNullable<Budget["failure"]>, now: Date): Verdict {
  if (/\bdaemonsets\.apps does not implement the scale/.test(message)) return "ofDaemonSet";
  return (ageOf(since, now) ?? PASSING_MS) < PASSING_MS ? "notComputedYet" : "notComputed";
}

function keepsAll({ expectedPods = 0 }: Budget, required: number | undefined): boolean {
  return expectedPods > 0 && required !== undefined && required >= expectedPods;
}

/** The healthy pods that spec asks for, of as many as were last counted. */
function requiredBySpec({ limit, expectedPods = 0 }: Budget): number | undefined {
  if (limit === undefined) return undefined;
  const pods = podsOf(limit, expectedPods);
  return limit.field === "spec.minAvailable" ? pods : expectedPods - pods;
}

/** The disruption controller rounds both up. */
function podsOf({ amount, isPercent }: Limit, expectedPods: number): number {
  return isPercent ? Math.ceil((amount * expectedPods) / 100) : amount;
}
