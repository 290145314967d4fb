import { type Json, type JsonObject, listAt, numberAt, textAt } from "../../model/json.ts";

/** A condition that says that something is wrong; `since` is its last transition, `passingMinutes` how long it may be momentary. */
export type Fault = {
  readonly type: string;
  readonly reason: string;
  readonly since: string | undefined;
  readonly passingMinutes: number;
};

/** What matters of Etcd config of the operator. */
export type Etcd = {
  /** Has the operator said whether there is a quorum? */
  readonly reported: boolean;
  readonly faults: readonly Fault[];
  /** Are members restarting with a new revision of their pod? */
  readonly rollingOut: boolean;
};

/**
 * The conditions that tell of etcd itself, and the status that each should have. One member is away whenever its node restarts, which
 * takes its time on bare metal: the alert of members that are down (etcdMembersDown) waits as long.
 */
const EXPECTED: ReadonlyMap<string, { readonly status: string; readonly passingMinutes: number }> = new Map([
  ["EtcdMembersAvailable", { status: "True", passingMinutes: 5 }],
  ["EtcdMembersDegraded", { status: "False", passingMinutes: 20 }],
  ["EtcdEndpointsDegraded", { status: "False", passingMinutes: 20 }],
]);

export function keepEtcd(object: JsonObject): Etcd {
  const conditions = listAt(object, "status", "conditions");
  const latest = numberAt(object, "status", "latestAvailableRevision") ?? 0;
  return {
    reported: conditions.some((condition) => textAt(condition, "type") === "EtcdMembersAvailable"),
    faults: conditions.flatMap(faultOf),
    rollingOut: listAt(object, "status", "nodeStatuses").some((node) => isBehind(node, latest)),
  };
}

function faultOf(condition: Json): readonly Fault[] {
  const type = textAt(condition, "type") ?? "";
  const expected = EXPECTED.get(type);
  if (expected === undefined || textAt(condition, "status") === expected.status) return [];
  const [reason, since] = [textAt(condition, "reason") ?? "", textAt(condition, "lastTransitionTime")];
  return [{ type, reason, since, passingMinutes: expected.passingMinutes }];
}

/** The installer sets targetRevision while it works on a node, and 0 otherwise. */
function isBehind(node: Json, latest: number): boolean {
  const current = numberAt(node, "currentRevision") ?? 0;
  const target = numberAt(node, "targetRevision") ?? 0;
  return (target !== 0 && target !== current) || current < latest;
}
