import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { each, get, soundInPart } from "../../model/read.ts";
import {
  buildLagFindings,
  buildTransientNotices,
  buildRolloutNotices,
  buildOperatorUnknowns,
  buildUnhealthyFindings,
} from "./health.ts";
import { type ClusterOperator, keepClusterOperator, type Rollout, keepRollout } from "./cluster-operator.ts";
import { risks } from "./risks.ts";
import { buildEvaluationNotices, buildNotUpgradeableFindings, buildUndecidedNotices } from "./upgradeable.ts";

const CLUSTER_OPERATORS = "config.openshift.io/v1/clusteroperators";

export default defineCheck({
  id: "cluster-operators",
  name: "ClusterOperatorsNotReady",
  title: "Every cluster operator is healthy and ready to be updated",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  seenAfterUpdate: "The operators report conditions for the release that they run.",
  reads: () => ({
    operators: soundInPart("object", each(CLUSTER_OPERATORS, keepClusterOperator)),
    rollout: get("config.openshift.io/v1/clusterversions", "version", keepRollout),
  }),
  evaluate: ({ operators, rollout }, context) =>
    operators.kind === "absent"
      ? { notApplicable: "The API server does not serve clusteroperators.config.openshift.io." }
      : judge(operators.values, rollout.kind === "found" ? rollout.value : { kind: "unknown" }, context),
});

function judge(operators: readonly ClusterOperator[], rollout: Rollout, context: Context): Judgement {
  if (operators.length === 0) return judgeNoOperators();
  return {
    findings: [
      ...buildNotUpgradeableFindings(operators, context),
      ...buildUnhealthyFindings(operators, context),
      ...buildLagFindings(operators, rollout),
    ],
    notices: [
      ...buildEvaluationNotices(operators),
      ...buildUndecidedNotices(operators, context),
      ...buildTransientNotices(operators, context),
      ...buildRolloutNotices(operators, rollout),
    ],
    unknowns: buildOperatorUnknowns(operators, rollout),
  };
}

/** Every OpenShift cluster has cluster operators, so an empty list doesn't show that they are healthy. */
function judgeNoOperators(): Judgement {
  const where = "clusteroperators.config.openshift.io";
  return {
    unknowns: [{ reason: "NotReported", where, message: "the list is empty, as during an installation" }],
  };
}
