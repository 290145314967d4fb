import { type Json, type JsonObject, listAt, numberAt, textAt } from "../../model/json.ts";

/** A condition whose status is not `expected`; `since` is its last transition. */
export type EtcdFault = {
  readonly type: string;
  readonly expected: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly since: string | undefined;
  readonly gracePeriodMinutes: number;
};

/** The state of etcd in etcds.operator.openshift.io/cluster. */
export type Etcd = {
  /** Whether the operator reports if etcd has a quorum. */
  readonly isReported: boolean;
  readonly faults: readonly EtcdFault[];
  /** Whether members are restarting with a new revision of their pod. */
  readonly isRollingOut: boolean;
};

/**
 * The conditions of etcd itself, with the status that each should have. A member is away while its node restarts, which takes long on
 * bare metal: the alert etcdMembersDown has the same grace period of 20 minutes.
 */
const EXPECTED_CONDITIONS: ReadonlyMap<string, Pick<EtcdFault, "expected" | "gracePeriodMinutes">> = new Map([
  ["EtcdMembersAvailable", { expected: "True", gracePeriodMinutes: 5 }],
  ["EtcdMembersDegraded", { expected: "False", gracePeriodMinutes: 20 }],
  ["EtcdEndpointsDegraded", { expected: "False", gracePeriodMinutes: 20 }],
]);

export function keepEtcd(object: JsonObject): Etcd {
  const conditions = listAt(object, "status", "conditions");
  const latest = numberAt(object, "status", "latestAvailableRevision") ?? 0;
  return {
    isReported: conditions.some((condition) => textAt(condition, "type") === "EtcdMembersAvailable"),
    faults: conditions.flatMap(parseFault),
    isRollingOut: listAt(object, "status", "nodeStatuses").some((node) => isBehind(node, latest)),
  };
}

function parseFault(condition: Json): readonly EtcdFault[] {
  const type = textAt(condition, "type") ?? "";
  const rule = EXPECTED_CONDITIONS.get(type);
  const status = textAt(condition, "status") ?? "missing";
  if (rule === undefined || status === rule.expected) return [];
  const [reason, message] = [textAt(condition, "reason") ?? "", textAt(condition, "message") ?? ""];
  return [{ type, ...rule, status, reason, message, since: textAt(condition, "lastTransitionTime") }];
}

/** The operator's installer sets targetRevision while it updates a node, and resets it to 0 afterwards. */
function isBehind(node: Json, latest: number): boolean {
  const current = numberAt(node, "currentRevision") ?? 0;
  const target = numberAt(node, "targetRevision") ?? 0;
  return (target !== 0 && target !== current) || current < latest;
}
