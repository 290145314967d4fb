import { defineCheck } from "../../model/check.ts";
import { textAt } from "../../model/json.ts";
import { type PendingUpdate, keepPendingUpdate } from "../shared/pending-update.ts";
import { type Each, each, valuesOf, soundInPart, withAnnotations } from "../../model/read.ts";
import { OPERATOR_ANNOTATIONS, keepInstalledOperator } from "./installed-operator.ts";
import {
  operatorMaxOpenShiftVersionInvalid,
  operatorIncompatibleWithNextMinor,
  operatorIncompatibleWithTarget,
} from "./risks.ts";
import { buildExtensionNotices, judgeOperators } from "./verdict.ts";

export default defineCheck({
  id: "operator-max-version",
  name: "OperatorMaxOpenShiftVersion",
  title: "Installed operators declare support for the target",
  risks: [operatorIncompatibleWithNextMinor, operatorIncompatibleWithTarget, operatorMaxOpenShiftVersionInvalid],
  applies: { kind: "updates", kinds: ["minor"] },
  reads: () => ({
    operators: withAnnotations(
      OPERATOR_ANNOTATIONS,
      soundInPart("object", each("operators.coreos.com/v1alpha1/clusterserviceversions", keepInstalledOperator)),
    ),
  }),
  mayRead: () => ({ subscriptions: buildSubscriptionsRead(), extensions: buildExtensionsRead() }),
  follow: ({ operators }) => ({
    extensions: buildExtensionsRead(),
    ...(valuesOf(operators).length > 0 ? { subscriptions: buildSubscriptionsRead() } : {}),
  }),
  evaluate({ operators }, context, { subscriptions, extensions }) {
    const names = extensions ? valuesOf(extensions) : [];
    const irrelevantReads = ["subscriptions", "extensions"];
    if (operators.kind === "absent" && names.length === 0)
      return {
        notApplicable: "The API server serves no ClusterServiceVersions: OLM is not installed.",
        irrelevantReads,
      };
    const judgement = judgeOperators(valuesOf(operators), subscriptions ? valuesOf(subscriptions) : [], context);
    return {
      ...judgement,
      notices: [...(judgement.notices ?? []), ...buildExtensionNotices(names, context)],
      irrelevantReads,
    };
  },
});

function buildSubscriptionsRead(): Each<PendingUpdate> {
  return each("operators.coreos.com/v1alpha1/subscriptions", keepPendingUpdate);
}

function buildExtensionsRead(): Each<string> {
  return each("olm.operatorframework.io/v1/clusterextensions", (object) => textAt(object, "metadata", "name"));
}
