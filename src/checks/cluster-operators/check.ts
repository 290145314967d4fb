import { type Finding, type Context, type Judgement, type Unknown, defineCheck } from "../../model/check.ts";
import { readRisks } from "../shared/risks.ts";
import { summarizeTexts } from "../shared/judgements.ts";
import type { ClusterOperator, Rollout, ClusterOperatorCondition } from "./cluster-operator.ts";
import { MAX_LENGTH, formatReason, keepClusterOperator, keepRollout, buildRef } from "./cluster-operator.ts";
import { each, get, soundInPart } from "../../model/read.ts";
import { joinNames } from "../../model/text.ts";
import { isRecent } from "../../model/time.ts";
import { parseVersion, leavesMinor, formatMinor } from "../../model/version.ts";

const risks = readRisks("cluster-operators", {
  ClusterOperatorNotUpgradeable: { message: { reasons: formatReasons } },
  ClusterOperatorUnhealthy: { message: { faults: formatFaults } },
});

function formatReasons(findings: readonly Finding[]): string {
  return summarizeTexts(
    findings,
    MAX_LENGTH,
    ({ object, detail: { reason = "", message = "" } = {} }, longest) =>
      `${object.name} (${formatReason({ reason, message }, longest)})`,
  );
}

function formatFaults(findings: readonly Finding[]): string {
  return summarizeTexts(findings, MAX_LENGTH, ({ object, detail = {} }, longest) => {
    const { condition, fault = "", reason = "", message = "" } = detail;
    const text = `${object.name} ${fault}`;
    return condition === "" ? text : `${text} (${formatReason({ reason, message }, longest)})`;
  });
}

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

/** The conditions for which the cluster-version operator waits, and their grace periods: those of the alerts for the same faults. */
const FAULTS = [
  { type: "Available", good: "True", minutes: 10, bad: "is not available", unsure: "reports Available=Unknown" },
  { type: "Degraded", good: "False", minutes: 30, bad: "is degraded", unsure: "reports Degraded=Unknown" },
] as const;
const MINUTE_MS = 60_000;

type OperatorFault = {
  readonly operator: ClusterOperator;
  readonly condition: string;
  readonly text: string;
  readonly cause: ClusterOperatorCondition;
  readonly graceMinutes: number;
  readonly isLasting: boolean;
};

function findFaults(operator: ClusterOperator, now: Date): readonly OperatorFault[] {
  return FAULTS.flatMap(({ type, good, minutes, bad, unsure }) => {
    const cause = operator.conditions[type];
    if (cause === undefined || cause.status === good) return [];
    const text = cause.status === "Unknown" ? unsure : bad;
    const isLasting = hasLasted(cause, now, minutes);
    return [{ operator, condition: type, text, cause, graceMinutes: minutes, isLasting }];
  });
}

/** A condition without a time counts as an old one. */
function hasLasted({ since }: ClusterOperatorCondition, now: Date, minutes: number): boolean {
  return since === undefined || !isRecent(now.getTime() - since, minutes * MINUTE_MS);
}

export function buildUnhealthyFindings(operators: readonly ClusterOperator[], { now }: Context): readonly Finding[] {
  return operators
    .flatMap((operator) => findFaults(operator, now))
    .filter(({ isLasting }) => isLasting)
    .map(({ operator, condition, text, cause }) => ({
      risk: risks.ClusterOperatorUnhealthy.name,
      object: buildRef(operator),
      message: `It ${text} (${formatReason(cause)}).`,
      detail: { condition, fault: text, reason: cause.reason, message: cause.message },
    }));
}

export function buildTransientNotices(operators: readonly ClusterOperator[], { now }: Context): readonly string[] {
  return operators
    .flatMap((operator) => findFaults(operator, now))
    .filter(({ isLasting }) => !isLasting)
    .map(
      ({ operator, text, cause, graceMinutes }) =>
        `ClusterOperator ${operator.name} ${text} (${formatReason(cause)}), so far for less than ${graceMinutes} minutes: update once it has recovered.`,
    );
}

/** Once an update has completed, every operator of the release has reported its version. */
export function buildLagFindings(operators: readonly ClusterOperator[], rollout: Rollout): readonly Finding[] {
  if (rollout.kind !== "completed") return [];
  return operators
    .filter(({ isShipped }) => isShipped)
    .flatMap((operator) => buildLagFinding(operator, rollout.version));
}

function buildLagFinding(operator: ClusterOperator, version: string): readonly Finding[] {
  const reported = operator.version;
  if (reported === undefined || reported === version || !parseVersion(reported)) return [];
  const fault = `still reports ${reported}, while the cluster runs ${version}`;
  return [
    {
      risk: risks.ClusterOperatorUnhealthy.name,
      object: buildRef(operator),
      message: `It ${fault}.`,
      detail: { condition: "", fault },
    },
  ];
}

/** During an update, operators of two releases are normal. */
export function buildRolloutNotices(operators: readonly ClusterOperator[], rollout: Rollout): readonly string[] {
  if (rollout.kind !== "underWay") return [];
  const waiting = operators.filter(({ isShipped, version }) => isShipped && version !== rollout.version);
  const names = waiting.map(({ name }) => name);
  const missing = names.length === 0 ? "" : `; cluster operators that have not reached it: ${joinNames(names)}`;
  return [`The cluster's last update, to ${rollout.version}, has not completed${missing}.`];
}

/**
 * The cluster-version operator treats a missing condition as a bad one, but an operator that has just started lacks them too. During
 * an update, the ClusterOperators of new operators are created long before these run.
 */
export function buildOperatorUnknowns(operators: readonly ClusterOperator[], rollout: Rollout): readonly Unknown[] {
  if (rollout.kind === "underWay") return [];
  return operators.flatMap(({ name, isShipped, conditions }) => {
    const missing = FAULTS.map(({ type }) => type).filter((type) => !conditions[type]?.status);
    if (!isShipped || missing.length === 0) return [];
    return [
      {
        reason: "NotReported",
        where: `clusteroperators.config.openshift.io ${name}`,
        message: `it does not report the condition${missing.length === 1 ? "" : "s"} ${joinNames(missing)}`,
      },
    ];
  });
}

/** The cluster-version operator checks Upgradeable only before updates to a later minor, and only False blocks them. */
export function buildNotUpgradeableFindings(
  operators: readonly ClusterOperator[],
  context: Context,
): readonly Finding[] {
  if (!leavesMinor(context)) return [];
  return operators.flatMap((operator) => {
    const condition = operator.conditions.Upgradeable;
    if (condition?.status !== "False") return [];
    return [
      {
        risk: risks.ClusterOperatorNotUpgradeable.name,
        object: buildRef(operator),
        message: `It reports Upgradeable=False (${formatReason(condition)}).`,
        detail: { condition: "Upgradeable", reason: condition.reason, message: condition.message },
      },
    ];
  });
}

export function buildUndecidedNotices(operators: readonly ClusterOperator[], context: Context): readonly string[] {
  if (!leavesMinor(context)) return [];
  return operators.flatMap((operator) => {
    const condition = operator.conditions.Upgradeable;
    if (condition?.status !== "Unknown") return [];
    return [
      `ClusterOperator ${operator.name} reports Upgradeable=Unknown (${formatReason(condition)}), which does not block the update from ${formatMinor(context.source)} to ${formatMinor(context.target)}.`,
    ];
  });
}

/** An operator's forecast: the update service collects it, and no release blocks an update because of it. */
export function buildEvaluationNotices(operators: readonly ClusterOperator[]): readonly string[] {
  return operators.flatMap((operator) => {
    const condition = operator.conditions.EvaluationConditionsDetected;
    if (condition?.status !== "True") return [];
    return [
      `ClusterOperator ${operator.name} reports something that a later release may not accept (${formatReason(condition)}).`,
    ];
  });
}
