import { compareText } from "../../model/json.ts";
import type { Budget } from "./budget.ts";
import { answersEvictions } from "./managers.ts";

/** A budget of which all pods also belong to another one. */
export type Overlap = { readonly budget: Budget; readonly other: Budget };

/**
 * If a budget's requirements include all of another's, its pods belong to the other one too, so no pods have to be read.
 * Budgets with different requirements may still share a pod, which this doesn't detect.
 */
export function findOverlaps(budgets: readonly Budget[]): readonly Overlap[] {
  const namespaces = Map.groupBy(budgets.filter(isComparable), ({ namespace }) => namespace);
  return [...namespaces.values()].flatMap((group) => (group.length < 2 ? [] : findNamespaceOverlaps(group)));
}

/** Compares each budget only with those whose rarest requirement it has: a namespace with thousands has too many pairs. */
function findNamespaceOverlaps(budgets: readonly Budget[]): readonly Overlap[] {
  const namespaceBudgets = budgets.map((budget) => ({ budget, requirements: budget.requirements.split("\n") }));
  const budgetsByRequirement = Map.groupBy(
    namespaceBudgets.flatMap(({ requirements }) => requirements),
    (one) => one,
  );
  const countSharers = (one: string): number => budgetsByRequirement.get(one)?.length ?? 0;
  const byRarest = Map.groupBy(
    namespaceBudgets,
    ({ requirements }) => requirements.toSorted((a, b) => countSharers(a) - countSharers(b))[0],
  );
  return namespaceBudgets.flatMap(({ budget, requirements }) => {
    const [other] = requirements
      .flatMap((one) => byRarest.get(one) ?? [])
      .filter((one) => one.budget !== budget && one.requirements.every((each) => requirements.includes(each)))
      .toSorted((a, b) => compareText(a.budget.name, b.budget.name));
    return other === undefined || budget.isStale || !budget.hasPods ? [] : [{ budget, other: other.budget }];
  });
}

/**
 * An empty selector selects all pods or none, depending on the API version. The eviction API counts a pod's budgets by their selectors
 * alone, so the status of the second budget doesn't matter.
 */
function isComparable({ requirements, manager }: Budget): boolean {
  return requirements !== "" && !answersEvictions(manager);
}
