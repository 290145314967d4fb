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
  const namespaces = Map.groupBy(budgets.filter(isComparable), ({ object }) => object.namespace ?? "");
  return [...namespaces.values()].flatMap(findNamespaceOverlaps);
}

/** Compares each budget only with those whose rarest requirement it has: a namespace with thousands has too many pairs. */
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

/** An empty selector selects all pods or none, depending on the API version. */
function isComparable({ requirements, manager, isStale }: Budget): boolean {
  return requirements.length > 0 && !isStale && !answersEvictions(manager);
}

function hasAllRequirements(budget: Budget, other: Budget): boolean {
  return other.requirements.every((one) => budget.requirements.includes(one));
}
