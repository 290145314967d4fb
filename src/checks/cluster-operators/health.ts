import type { Blind, Context, Finding } from "../../model/check.ts";
import { joinNames } from "../../model/names.ts";
import { parseVersion } from "../../model/version.ts";
import { type Condition, type Operator, refTo } from "./operators.ts";
import { unhealthy } from "./risks.ts";
import type { Rollout } from "./rollout.ts";
import { ownWords } from "./words.ts";

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
const MINUTE = 60_000;

type Fault = {
  readonly operator: Operator;
  readonly condition: string;
  readonly text: string;
  readonly said: Condition;
  readonly lasting: boolean;
};

function faultsOf(operator: Operator, now: Date): readonly Fault[] {
  return FAULTS.flatMap(({ type, good, minutes, bad, unsure }) => {
    const said = operator.conditions[type];
    if (said === undefined || said.status === good) return [];
    const text = said.status === "Unknown" ? unsure : bad;
    return [{ operator, condition: type, text, said, lasting: lasts(said, now, minutes) }];
  });
}

/** A condition that doesn't say since when counts as an old one. */
function lasts({ since }: Condition, now: Date, minutes: number): boolean {
  return since === undefined || now.getTime() - since >= minutes * MINUTE;
}

export function unhealthyOperators(operators: readonly Operator[], { now }: Context): readonly Finding[] {
  return operators
    .flatMap((operator) => faultsOf(operator, now))
    .filter(({ lasting }) => lasting)
    .map(({ operator, condition, text, said }) => ({
      risk: unhealthy.name,
      object: refTo(operator),
      message: `It ${text} (${ownWords(said)}).`,
      detail: { condition, fault: text, reason: said.reason, message: said.message },
    }));
}

export function momentaryNotices(operators: readonly Operator[], { now }: Context): readonly string[] {
  return operators
    .flatMap((operator) => faultsOf(operator, now))
    .filter(({ lasting }) => !lasting)
    .map(
      ({ operator, text, said }) =>
        `ClusterOperator ${operator.name} ${text} (${ownWords(said)}), though not for long yet: wait and see whether it recovers before updating.`,
    );
}

/** Once an update has completed, every operator that the release brings has reported its version. */
export function laggingOperators(operators: readonly Operator[], rollout: Rollout): readonly Finding[] {
  if (rollout.kind !== "completed") return [];
  return operators.filter(({ shipped }) => shipped).flatMap((operator) => lagOf(operator, rollout.version));
}

function lagOf(operator: Operator, version: string): readonly Finding[] {
  const reported = operator.version;
  if (reported === undefined || reported === version || !parseVersion(reported)) return [];
  const fault = `still reports ${reported} on a cluster that runs ${version}`;
  return [
    {
      risk: unhealthy.name,
      object: refTo(operator),
      message: `It ${fault}.`,
      detail: { condition: "", fault },
    },
  ];
}

/** While an update rolls out, operators of two releases are the rule. */
export function rolloutNotices(operators: readonly Operator[], rollout: Rollout): readonly string[] {
  if (rollout.kind !== "underWay") return [];
  const waiting = operators.filter(({ shipped, version }) => shipped && version !== rollout.version);
  const names = waiting.map(({ name }) => name);
  const missing = names.length === 0 ? "" : `; not there yet: ${joinNames(names)}`;
  return [`The cluster's last update, to ${rollout.version}, has not completed${missing}.`];
}

/**
 * The cluster-version operator takes a missing condition for a bad one, but an operator that has just begun lacks them as well. During
 * an update, ClusterOperators of new operators are made long before these run.
 */
export function silentOperators(operators: readonly Operator[], rollout: Rollout): readonly Blind[] {
  if (rollout.kind === "underWay") return [];
  return operators.flatMap(({ name, shipped, conditions }) => {
    const missing = FAULTS.map(({ type }) => type).filter((type) => !conditions[type]?.status);
    if (!shipped || missing.length === 0) return [];
    return [
      {
        reason: "NotReported",
        where: `clusteroperators.config.openshift.io ${name}`,
        message: `it reports no condition ${joinNames(missing)}`,
      },
    ];
  });
}
