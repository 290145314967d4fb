import { defineCheck } from "../../model/check.ts";
import { each, valuesOf } from "../../model/read.ts";
import { keepRefusal, keepSubscription, keepUnresolvedExtension } from "./condition.ts";
import { risks } from "./risks.ts";
import { judgeOperators } from "./verdict.ts";

export default defineCheck({
  id: "operator-conditions",
  title: "No installed operator reports that it must not or can't be updated",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["minor"] },
  reads: () => ({
    conditions: each("operators.coreos.com/v2/operatorconditions", keepRefusal),
    subscriptions: each("operators.coreos.com/v1alpha1/subscriptions", keepSubscription),
    extensions: each("olm.operatorframework.io/v1/clusterextensions", keepUnresolvedExtension),
  }),
  evaluate({ conditions, subscriptions, extensions }, { now }) {
    if ([conditions, subscriptions, extensions].every(({ kind }) => kind === "absent"))
      return {
        notApplicable:
          "The API server serves none of the kinds by which OLM reports on operators (OperatorCondition, Subscription, ClusterExtension).",
      };
    const operators = {
      conditions: valuesOf(conditions),
      pending: valuesOf(subscriptions).flatMap(({ pending }) => pending ?? []),
      unresolved: [...valuesOf(subscriptions).flatMap(({ unresolved }) => unresolved ?? []), ...valuesOf(extensions)],
    };
    return judgeOperators(operators, now);
  },
});
