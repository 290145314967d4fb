import { defineCheck } from "../../model/check.ts";
import { type Each, each, valuesOf } from "../../model/read.ts";
import { type Refusal, type UnclearCondition, keepRefusal } from "./condition.ts";
import { operatorRefusesUpdates } from "./risks.ts";
import { type PendingUpdate, keepPendingUpdate } from "./pending-update.ts";
import { judgeOperators } from "./verdict.ts";

type Reads = { readonly conditions: Each<Refusal | UnclearCondition>; readonly subscriptions: Each<PendingUpdate> };

export default defineCheck<Reads>({
  id: "operator-conditions",
  name: "OperatorConditions",
  title: "No installed operator reports that it must not be updated",
  risks: [operatorRefusesUpdates],
  applies: { kind: "updates", kinds: ["minor"] },
  needsManifests: false,
  reads: () => ({
    conditions: each("operators.coreos.com/v2/operatorconditions", keepRefusal),
    subscriptions: each("operators.coreos.com/v1alpha1/subscriptions", keepPendingUpdate),
  }),
  evaluate: ({ conditions, subscriptions }, { now }) =>
    conditions.kind === "absent" && subscriptions.kind === "absent"
      ? { notApplicable: "The API server serves no OperatorConditions and no Subscriptions: OLM is not installed." }
      : judgeOperators(valuesOf(conditions), valuesOf(subscriptions), now),
});
