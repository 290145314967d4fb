import { defineCheck, type Judgement } from "../../model/check.ts";
import { summarizeNames } from "../../model/names.ts";
import { each, onlyOn, valuesOf } from "../../model/read.ts";
import { type JsonObject, numberAt, objectAt, textAt } from "../../model/json.ts";
import { type Labels, matchesSelector, parseLabels, parseSelector, type Selector } from "../../model/label-selector.ts";

export default defineCheck({
  id: "statefulset-budgets",
  name: "StatefulSetBudgets",
  title: "StatefulSets with several replicas have a pod disruption budget",
  risks: [],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  platforms: ["kubernetes"],
  reads: () => ({
    sets: onlyOn("kubernetes", each("apps/v1/statefulsets", keepStatefulSet)),
    budgets: onlyOn("kubernetes", each("policy/v1/poddisruptionbudgets", keepBudget)),
  }),
  evaluate({ sets, budgets }): Judgement {
    if (budgets.kind === "absent")
      return { notApplicable: "The API server does not serve poddisruptionbudgets of policy/v1." };
    const names = valuesOf(sets)
      .filter((set) => !isGuarded(set, budgets.values))
      .map(({ namespace, name }) => `${namespace}/${name}`);
    return { notices: names.length === 0 ? [] : [describe(names)] };
  },
});

function describe(names: readonly string[]): string {
  const [subject, verb] = names.length === 1 ? ["StatefulSet", "has"] : ["StatefulSets", "have"];
  return `${subject} ${summarizeNames(names)} ${verb} several replicas and no PodDisruptionBudget, so draining several nodes at a time can stop all of them at once. Drain one node at a time, or create budgets: kubectl create poddisruptionbudget NAME -n NAMESPACE --selector=KEY=VALUE --min-available=1`;
}

/** A StatefulSet with more than one replica, and the labels of its pods. */
type StatefulSet = { readonly namespace: string; readonly name: string; readonly labels: Labels };

type BudgetSelector = { readonly namespace: string; readonly selector: Selector };

/** With one replica, a budget would only stop the drain. */
function keepStatefulSet(object: JsonObject): StatefulSet | undefined {
  if ((numberAt(object, "spec", "replicas") ?? 1) < 2) return undefined;
  return {
    namespace: textAt(object, "metadata", "namespace") ?? "",
    name: textAt(object, "metadata", "name") ?? "",
    labels: parseLabels(object, "spec", "template", "metadata", "labels"),
  };
}

/** A budget without a selector is for no pod; an empty selector is for every pod of the namespace. */
function keepBudget(object: JsonObject): BudgetSelector | undefined {
  const spec = objectAt(object, "spec");
  if (spec["selector"] === undefined || spec["selector"] === null) return undefined;
  return { namespace: textAt(object, "metadata", "namespace") ?? "", selector: parseSelector(spec, "selector") };
}

function isGuarded({ namespace, labels }: StatefulSet, budgets: readonly BudgetSelector[]): boolean {
  return budgets.some((budget) => budget.namespace === namespace && matchesSelector(budget.selector, labels));
}
