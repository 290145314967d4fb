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
  const namespaces = Map.groupBy(budgets.filter(isComparable), ({ object }) => object.namespace ?? "");
  return [...namespaces.values()].flatMap(findNamespaceOverlaps);
}

/** Not each with each, of which a namespace with thousands of budgets has too many: only with those whose rarest requirement it has. */
function findNamespaceOverlaps(namespaceBudgets: readonly Budget[]): readonly Overlap[] {
  const budgetsByRequirement = Map.groupBy(
    namespaceBudgets.flatMap(({ requirements }) => requirements),
    (one) => one,
  );
  const countSharers = (requirement: string): number => budgetsByRequirement.get(requirement)?.length ?? 0;
  const byRarest = Map.groupBy(
    namespaceBudgets,
    ({ requirements }) => requirements.toSorted((a, b) => countSharers(a) - countSharers(b))[0],
  );
  return namespaceBudgets.flatMap((budget) => {
    const [other] = budget.requirements
      .flatMap((one) => byRarest.get(one) ?? [])
      .filter((one) => one !== budget && hasAllRequirements(budget, one))
      .toSorted((a, b) => compareText(a.object.name, b.object.name));
    return other === undefined || !(budget.expectedPods ?? 0) ? [] : [{ budget, other }];
  });
}

/** An empty selector means all pods or none, by the API server's version. */
function isComparable({ requirements, manager, isStale }: Budget): boolean {
  return requirements.length > 0 && !isStale && !answersEvictions(manager);
}

function hasAllRequirements(budget: Budget, other: Budget): boolean {
  return other.requirements.every((one) => budget.requirements.includes(one));
}
