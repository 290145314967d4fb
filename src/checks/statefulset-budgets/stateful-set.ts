import { type JsonObject, numberAt, objectAt, textAt } from "../../model/json.ts";
import { type Labels, matchesSelector, parseLabels, parseSelector, type Selector } from "../shared/label-selector.ts";

/** A StatefulSet with more than one replica, and the labels of its pods. */
export type StatefulSet = { readonly namespace: string; readonly name: string; readonly labels: Labels };

export type BudgetSelector = { readonly namespace: string; readonly selector: Selector };

/** With one replica, a budget would only stop the drain. */
export function keepStatefulSet(object: JsonObject): StatefulSet | undefined {
  if ((numberAt(object, "spec", "replicas") ?? 1) < 2) return undefined;
  return {
    namespace: textAt(object, "metadata", "namespace") ?? "",
    name: textAt(object, "metadata", "name") ?? "",
    labels: parseLabels(object, "spec", "template", "metadata", "labels"),
  };
}

/** A budget without a selector is for no pod; an empty selector is for every pod of the namespace. */
export function keepBudget(object: JsonObject): BudgetSelector | undefined {
  const spec = objectAt(object, "spec");
  if (spec["selector"] === undefined || spec["selector"] === null) return undefined;
  return { namespace: textAt(object, "metadata", "namespace") ?? "", selector: parseSelector(spec, "selector") };
}

export function isGuarded({ namespace, labels }: StatefulSet, budgets: readonly BudgetSelector[]): boolean {
  return budgets.some((budget) => budget.namespace === namespace && matchesSelector(budget.selector, labels));
}
