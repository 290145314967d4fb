import { defineCheck, type Judgement } from "../../model/check.ts";
import { summarizeNames } from "../../model/names.ts";
import { each, onlyOn, valuesOf } from "../../model/read.ts";
import { isGuarded, keepBudget, keepStatefulSet } from "./stateful-set.ts";

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
