import type { Unknown, Context, Finding } from "../../model/check.ts";
import { joinNames } from "../../model/names.ts";
import { isRecent } from "../../model/time.ts";
import { parseVersion } from "../../model/version.ts";
import {
  type ClusterOperatorCondition,
  type ClusterOperator,
  buildRef,
  type Rollout,
  formatReason,
} from "./cluster-operator.ts";
import { risks } from "./risks.ts";

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
