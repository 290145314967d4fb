import type { Unknown, Context, Finding } from "../../model/check.ts";
import { joinNames } from "../../model/names.ts";
import { parseVersion } from "../../model/version.ts";
import { type ClusterOperatorCondition, type ClusterOperator, buildRef } from "./cluster-operator.ts";
import { clusterOperatorUnhealthy } from "./risks.ts";
import type { Rollout } from "./rollout.ts";
import { formatReason } from "./reason-text.ts";

/** What keeps the cluster-version operator waiting, and how long it must last: as long as the alerts of the same faults wait. */
const FAULTS = [
  {
    type: "Available",
    good: "True",
    minutes: 10,
    bad: "is not available",
    unsure: "doesn't know whether it is available",
  },
  { type: "Degraded", good: "False", minutes: 30, bad: "is degraded", unsure: "doesn't know whether it is degraded" },
] as const;
const MINUTE_MS = 60_000;

type OperatorFault = {
  readonly operator: ClusterOperator;
  readonly condition: string;
  readonly text: string;
  readonly cause: ClusterOperatorCondition;
  readonly isLasting: boolean;
};

function findFaults(operator: ClusterOperator, now: Date): readonly OperatorFault[] {
  return FAULTS.flatMap(({ type, good, minutes, bad, unsure }) => {
    const cause = operator.conditions[type];
    if (cause === undefined || cause.status === good) return [];
    const text = cause.status === "Unknown" ? unsure : bad;
    return [{ operator, condition: type, text, cause, isLasting: hasLasted(cause, now, minutes) }];
  });
}

/** A condition that doesn't say since when counts as an old one. */
function hasLasted({ since }: ClusterOperatorCondition, now: Date, minutes: number): boolean {
  return since === undefined || now.getTime() - since >= minutes * MINUTE_MS;
}

export function buildUnhealthyFindings(operators: readonly ClusterOperator[], { now }: Context): readonly Finding[] {
  return operators
    .flatMap((operator) => findFaults(operator, now))
    .filter(({ isLasting }) => isLasting)
    .map(({ operator, condition, text, cause }) => ({
      risk: clusterOperatorUnhealthy.name,
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
      ({ operator, text, cause }) =>
        `ClusterOperator ${operator.name} ${text} (${formatReason(cause)}), though not for long yet: wait and see whether it recovers before updating.`,
    );
}

/** Once an update has completed, every operator that the release brings has reported its version. */
export function buildLagFindings(operators: readonly ClusterOperator[], rollout: Rollout): readonly Finding[] {
  if (rollout.kind !== "completed") return [];
  return operators
    .filter(({ isShipped }) => isShipped)
    .flatMap((operator) => buildLagFinding(operator, rollout.version));
}

function buildLagFinding(operator: ClusterOperator, version: string): readonly Finding[] {
  const reported = operator.version;
  if (reported === undefined || reported === version || !parseVersion(reported)) return [];
  const fault = `still reports ${reported} on a cluster that runs ${version}`;
  return [
    {
      risk: clusterOperatorUnhealthy.name,
      object: buildRef(operator),
      message: `It ${fault}.`,
      detail: { condition: "", fault },
    },
  ];
}

/** While an update rolls out, operators of two releases are the rule. */
export function buildRolloutNotices(operators: readonly ClusterOperator[], rollout: Rollout): readonly string[] {
  if (rollout.kind !== "underWay") return [];
  const waiting = operators.filter(({ isShipped, version }) => isShipped && version !== rollout.version);
  const names = waiting.map(({ name }) => name);
  const missing = names.length === 0 ? "" : `; not there yet: ${joinNames(names)}`;
  return [`The cluster's last update, to ${rollout.version}, has not completed${missing}.`];
}

/**
 * The cluster-version operator takes a missing condition for a bad one, but an operator that has just begun lacks them as well. During
 * an update, ClusterOperators of new operators are made long before these run.
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
        message: `it reports no condition ${joinNames(missing)}`,
      },
    ];
  });
}
