import {
  CHECKS_ANNOTATION,
  COPY_ANNOTATIONS,
  CSV_RESOURCE,
  findCheckedOperator,
} from "../../model/cluster-service-version.ts";
import { defineCheck } from "../../model/check.ts";
import { textAt } from "../../model/json.ts";
import { type PendingUpdate, keepPendingUpdate } from "../shared/pending-update.ts";
import { type Each, each, valuesOf, soundInPart, withAnnotations } from "../../model/read.ts";
import { OPERATOR_ANNOTATIONS, keepInstalledOperator } from "./installed-operator.ts";
import { risks } from "./risks.ts";
import { buildChecksNotices, buildExtensionNotices, judgeOperators } from "./verdict.ts";

export default defineCheck({
  id: "operator-max-version",
  name: "OperatorMaxOpenShiftVersion",
  title: "Installed operators declare support for the target",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["minor"] },
  reads: () => ({
    operators: withAnnotations(OPERATOR_ANNOTATIONS, soundInPart("object", each(CSV_RESOURCE, keepInstalledOperator))),
    checked: withAnnotations(
      [...COPY_ANNOTATIONS, CHECKS_ANNOTATION],
      soundInPart(
        "object",
        each(CSV_RESOURCE, (csv) => findCheckedOperator(csv)?.package),
      ),
    ),
  }),
  mayRead: () => ({ subscriptions: buildSubscriptionsRead(), extensions: buildExtensionsRead() }),
  follow: ({ operators }) => ({
    extensions: buildExtensionsRead(),
    ...(valuesOf(operators).length > 0 ? { subscriptions: buildSubscriptionsRead() } : {}),
  }),
  evaluate({ operators, checked }, context, { subscriptions, extensions }) {
    const names = extensions ? valuesOf(extensions) : [];
    if (operators.kind === "absent" && names.length === 0)
      return { notApplicable: "The API server serves no ClusterServiceVersions: OLM is not installed." };
    const judgement = judgeOperators(valuesOf(operators), subscriptions ? valuesOf(subscriptions) : [], context);
    return {
      ...judgement,
      notices: [
        ...(judgement.notices ?? []),
        ...buildExtensionNotices(names, context),
        ...buildChecksNotices(valuesOf(checked), context),
      ],
      // They give texts and notices alone.
      irrelevantReads: ["subscriptions", "extensions"],
    };
  },
});

function buildSubscriptionsRead(): Each<PendingUpdate> {
  return each("operators.coreos.com/v1alpha1/subscriptions", keepPendingUpdate);
}

function buildExtensionsRead(): Each<string> {
  return each("olm.operatorframework.io/v1/clusterextensions", (object) => textAt(object, "metadata", "name"));
}
