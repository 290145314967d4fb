import { compareText } from "../../model/json.ts";
import type { Budget } from "./budget.ts";
import { answersEvictions } from "./managers.ts";
import { isComparable } from "./needs-pods.ts";
import type { BudgetPod } from "./pods.ts";
import { isPresent } from "./selected-pods.ts";

/** A budget with pods that also belong to another one; no names if it has no pods now. */
export type Overlap = { readonly budget: Budget; readonly other: Budget; readonly pods: readonly string[] };

/** The eviction API counts a pod's budgets by their selectors alone, so the status of the second budget doesn't matter. */
export function findOverlaps(budgets: readonly Budget[], pods: readonly BudgetPod[]): readonly Overlap[] {
  if (budgets.length < 2) return [];
  const seen = new Set(pods.flatMap((pod) => pod.budgets.map((i) => budgets[i])));
  const bySelector = findSelectorOverlaps(budgets).filter(({ budget }) => !seen.has(budget));
  const overlaps = [...findPodOverlaps(budgets, pods), ...bySelector];
  return overlaps.toSorted((a, b) => compareText(a.budget.name, b.budget.name));
}

function findPodOverlaps(budgets: readonly Budget[], pods: readonly BudgetPod[]): readonly Overlap[] {
  const shared = pods.filter((one) => isBlockedByTwo(one, budgets));
  const podsByBudget = Map.groupBy(
    shared.flatMap((pod) => pod.budgets.map((i) => ({ i, pod }))),
    ({ i }) => i,
  );
  return [...podsByBudget].flatMap(([i, own]) => {
    const others = new Set(own.flatMap(({ pod }) => pod.budgets.filter((other) => other !== i)));
    return buildOverlap(
      budgets[i],
      [...others].map((other) => budgets[other]),
      (other) => own.filter(({ pod }) => pod.budgets.some((j) => budgets[j] === other)).map(({ pod }) => pod.name),
    );
  });
}

/** KubeVirt's webhook answers first, so a second budget doesn't block the pod of a virtual machine. */
function isBlockedByTwo(pod: BudgetPod, budgets: readonly Budget[]): boolean {
  if (pod.budgets.length < 2 || !isPresent(pod) || !pod.isDrained) return false;
  return !pod.budgets.some((i) => answersEvictions(budgets[i]?.manager));
}

function buildOverlap(
  budget: Budget | undefined,
  others: readonly (Budget | undefined)[],
  listPods: (other: Budget) => readonly string[] = () => [],
): readonly Overlap[] {
  const [other] = others.filter((one) => one !== undefined).toSorted((a, b) => compareText(a.name, b.name));
  return budget && other ? [{ budget, other, pods: listPods(other).toSorted(compareText) }] : [];
}

/**
 * For budgets without pods: if a budget's requirements include all of another's, its pods belong to the other one too. Budgets with different
 * requirements may still share a pod.
 */
function findSelectorOverlaps(budgets: readonly Budget[]): readonly Overlap[] {
  const comparable = budgets.filter((budget) => isComparable(budget) && (budget.selector ?? []).length > 0);
  const budgetsByRequirement = Map.groupBy(
    comparable.flatMap(({ selector }) => selector ?? []),
    (one) => one,
  );
  const countSharers = (one: string): number => budgetsByRequirement.get(one)?.length ?? 0;
  // Each budget is compared only with those whose rarest requirement it has: a namespace with thousands has too many pairs.
  const byRarest = Map.groupBy(
    comparable,
    ({ selector = [] }) => selector.toSorted((a, b) => countSharers(a) - countSharers(b))[0],
  );
  return comparable.filter(hasPods).flatMap((budget) => {
    const requirements = budget.selector ?? [];
    const others = requirements
      .flatMap((one) => byRarest.get(one) ?? [])
      .filter((one) => one !== budget && one.selector?.every((each) => requirements.includes(each)));
    return buildOverlap(budget, others);
  });
}

/** A status that allows a disruption counts a healthy pod. */
function hasPods({ state }: Budget): boolean {
  if (state === undefined) return true;
  return !state.isStale && (state.currentHealthy > 0 || (state.numbers?.expectedPods ?? 0) > 0);
}
