import { type Json, type JsonObject, listAt, numberAt, textAt } from "../../model/json.ts";

/** A condition that says that something is wrong; `since` is its last transition, `passingMinutes` how long it may be momentary. */
export type EtcdFault = {
  readonly type: string;
  readonly reason: string;
  readonly since: string | undefined;
  readonly gracePeriodMinutes: number;
};

/** What matters of Etcd config of the operator. */
export type Etcd = {
  /** Has the operator said whether there is a quorum? */
  readonly isReported: boolean;
  readonly faults: readonly EtcdFault[];
  /** Are members restarting with a new revision of their pod? */
  readonly isRollingOut: boolean;
};

/**
 * The conditions that tell of etcd itself, and the status that each should have. One member is away whenever its node restarts, which
 * takes its time on bare metal: the alert of members that are down (etcdMembersDown) waits as long.
 */
const EXPECTED_CONDITIONS: ReadonlyMap<string, { readonly status: string; readonly passingMinutes: number }> = new Map([
  ["EtcdMembersAvailable", { status: "True", passingMinutes: 5 }],
  ["EtcdMembersDegraded", { status: "False", passingMinutes: 20 }],
  ["EtcdEndpointsDegraded", { status: "False", passingMinutes: 20 }],
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
  const expected = EXPECTED_CONDITIONS.get(type);
  if (expected === undefined || textAt(condition, "status") === expected.status) return [];
  const [reason, since] = [textAt(condition, "reason") ?? "", textAt(condition, "lastTransitionTime")];
  return [{ type, reason, since, gracePeriodMinutes: expected.passingMinutes }];
}

/** The installer sets targetRevision while it works on a node, and 0 otherwise. */
function isBehind(node: Json, latest: number): boolean {
  const current = numberAt(node, "currentRevision") ?? 0;
  const target = numberAt(node, "targetRevision") ?? 0;
  return (target !== 0 && target !== current) || current < latest;
}
