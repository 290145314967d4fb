import { byText } from "../../model/json.ts";
import type { Budget } from "./budget.ts";
import { answersEvictions } from "./managers.ts";

/** A budget all of whose pods have another budget too. */
export type Overlap = { readonly budget: Budget; readonly other: Budget };

/**
 * Where a budget's requirements hold all of another's, its pods are the other's as well; that can be told without looking at pods.
 * Budgets whose requirements differ may still meet on a pod, which this doesn't see.
 */
export function overlaps(budgets: readonly Budget[]): readonly Overlap[] {
  const spaces = Map.groupBy(budgets.filter(isConcerned), ({ object }) => object.namespace ?? "");
  return [...spaces.values()].flatMap(overlapsIn);
}

/** Not each with each, of which a namespace with thousands of budgets has too many: only with those whose rarest requirement it has. */
function overlapsIn(space: readonly Budget[]): readonly Overlap[] {
  const sharers = Map.groupBy(
    space.flatMap(({ requirements }) => requirements),
    (one) => one,
  );
  const shared = (requirement: string): number => sharers.get(requirement)?.length ?? 0;
  const byRarest = Map.groupBy(space, ({ requirements }) => requirements.toSorted((a, b) => shared(a) - shared(b))[0]);
  return space.flatMap((budget) => {
    const [other] = budget.requirements
      .flatMap((one) => byRarest.get(one) ?? [])
      .filter((one) => one !== budget && isWithin(budget, one))
      .toSorted((a, b) => byText(a.object.name, b.object.name));
    return other === undefined || !(budget.expectedPods ?? 0) ? [] : [{ budget, other }];
  });
}

/** An empty selector means all pods or none, by the API server's version. */
function isConcerned({ requirements, manager, isStale }: Budget): boolean {
  return requirements.length > 0 && !isStale && !answersEvictions(manager);
}

function isWithin(budget: Budget, other: Budget): boolean {
  return other.requirements.every((one) => budget.requirements.includes(one));
}
