import type { Budget } from "./budget.ts";
import { countsReplicas } from "./budget.ts";
import { answersEvictions } from "./managers.ts";
import { type RequirementTexts, areDisjoint, parseRequirement } from "./selector.ts";

/** Whether the verdict on a budget depends on its pods: a status alone tells neither missing pods from ended ones, nor one controller's from another's. */
export function readsPods({ state }: Budget): boolean {
  if (state === undefined) return false;
  if (state.isStale || state.failure !== undefined) return true;
  return state.numbers !== undefined && (state.numbers.expectedPods > 0 || countsReplicas(state));
}

/** Comparing more selectors pairwise takes longer than reading their pods. */
const MAX_COMPARED = 50;

/** Whether two budgets of a namespace may select the same pod. */
export function canOverlap(budgets: readonly Budget[]): boolean {
  const selectors = budgets.filter(isComparable).map(({ selector }) => selector);
  if (selectors.length < 2 || haveDistinctLabel(selectors)) return false;
  if (selectors.length > MAX_COMPARED) return true;
  return selectors.some((one, i) => selectors.slice(i + 1).some((other) => !areDisjoint(one, other)));
}

/** KubeVirt answers evictions of its pods itself, and without a selector a budget has no pods. */
export function isComparable({ selector, manager }: Budget): boolean {
  return selector !== undefined && !answersEvictions(manager);
}

/** Whether each selector requires other values of the same label, as in a namespace with a budget for each app. */
function haveDistinctLabel(selectors: readonly RequirementTexts[]): boolean {
  const parse = (selector: RequirementTexts) => (selector ?? []).map(parseRequirement);
  return parse(selectors[0]).some(({ key }) => {
    const seen = new Set<string>();
    return selectors.every((selector) => {
      const values = parse(selector).find((one) => one.key === key && one.operator === "In")?.values;
      return values !== undefined && values.every((value) => !seen.has(value) && seen.add(value));
    });
  });
}
