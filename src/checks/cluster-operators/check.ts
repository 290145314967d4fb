import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Each, type Get, each, get } from "../../model/read.ts";
import { laggingOperators, momentaryNotices, rolloutNotices, silentOperators, unhealthyOperators } from "./health.ts";
import { type Operator, keepOperator } from "./operators.ts";
import { notUpgradeable, unhealthy } from "./risks.ts";
import { type Rollout, keepRollout } from "./rollout.ts";
import { evaluationNotices, notUpgradeableOperators, undecidedNotices } from "./upgradeable.ts";

type Reads = { readonly operators: Each<Operator>; readonly rollout: Get<Rollout> };

const KIND = "config.openshift.io/v1/clusteroperators";

export default defineCheck<Reads>({
  id: "cluster-operators",
  name: "ClusterOperatorsNotReady",
  title: "Every cluster operator is well and ready to be updated",
  risks: [notUpgradeable, unhealthy],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  reads: () => ({
    operators: each(KIND, keepOperator),
    rollout: get("config.openshift.io/v1/clusterversions", "version", keepRollout),
  }),
  evaluate: ({ operators, rollout }, context) =>
    operators.kind === "absent"
      ? { notApplicable: "The API server serves no clusteroperators.config.openshift.io." }
      : judge(operators.values, rollout.kind === "found" ? rollout.value : { kind: "unknown" }, context),
});

function judge(operators: readonly Operator[], rollout: Rollout, context: Context): Judgement {
  if (operators.length === 0) return noneThere();
  return {
    findings: [
      ...notUpgradeableOperators(operators, context),
      ...unhealthyOperators(operators, context),
      ...laggingOperators(operators, rollout),
    ],
    notices: [
      ...evaluationNotices(operators),
      ...undecidedNotices(operators, context),
      ...momentaryNotices(operators, context),
      ...rolloutNotices(operators, rollout),
    ],
    blind: silentOperators(operators, rollout),
  };
}

/** No OpenShift cluster is without any, so an empty list says nothing of its operators. */
function noneThere(): Judgement {
  const where = "clusteroperators.config.openshift.io";
  return { blind: [{ reason: "NotReported", where, message: "there is none, as while a cluster is being installed" }] };
}
