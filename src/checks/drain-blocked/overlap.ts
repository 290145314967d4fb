import { compareText } from "../../model/json.ts";
import type { Budget } from "./budget.ts";
import { answersEvictions } from "./managers.ts";

/** A budget all of whose pods have another budget too. */
export type Overlap = { readonly budget: Budget; readonly other: Budget };

/**
 * Where a budget's requirements hold all of another's, its pods are the other's as well; that can be told without looking at pods.
 * Budgets whose requirements differ may still meet on a pod, which this doesn't see.
 */
export function findOverlaps(budgets: readonly Budget[]): readonly Overlap[] {
  const namespaces = Map.groupBy(budgets.filter(isComparable), ({ namespace }) => namespace);
  return [...namespaces.values()].flatMap((group) => (group.length < 2 ? [] : findNamespaceOverlaps(group)));
}

/** Not each with each, of which a namespace with thousands of budgets has too many: only with those whose rarest requirement it has. */
function findNamespaceOverlaps(budgets: readonly Budget[]): readonly Overlap[] {
  const namespaceBudgets = budgets.map((budget) => ({ budget, requirements: budget.requirements.split("\n") }));
  const budgetsByRequirement = Map.groupBy(
    namespaceBudgets.flatMap(({ requirements }) => requirements),
    (one) => one,
  );
  const countSharers = (requirement: string): number => budgetsByRequirement.get(requirement)?.length ?? 0;
  const byRarest = Map.groupBy(
    namespaceBudgets,
    ({ requirements }) => requirements.toSorted((a, b) => countSharers(a) - countSharers(b))[0],
  );
  return namespaceBudgets.flatMap(({ budget, requirements }) => {
    const [other] = requirements
      .flatMap((one) => byRarest.get(one) ?? [])
      .filter((one) => one.budget !== budget && one.requirements.every((each) => requirements.includes(each)))
      .toSorted((a, b) => compareText(a.budget.name, b.budget.name));
    return other === undefined || !budget.hasPods ? [] : [{ budget, other: other.budget }];
  });
}

/** An empty selector means all pods or none, by the API server's version. */
function isComparable({ requirements, manager }: Budget): boolean {
  return requirements !== "" && !answersEvictions(manager);
}
