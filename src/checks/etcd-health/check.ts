import { type Unknown, type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { findCondition } from "../../model/conditions.ts";
import { buildTopologyRead, isHosted } from "../../model/infrastructure.ts";
import { textAt, type Json, type JsonObject, listAt, numberAt } from "../../model/json.ts";
import { quote } from "../../model/quote.ts";
import { type Get, get } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { isWithinMinutes } from "../../model/time.ts";
import { type ConditionTexts, parseConditionTexts } from "../shared/conditions.ts";
import { etcdNotHealthy } from "./risks.ts";

const ETCD: ObjectRef = { apiVersion: "operator.openshift.io/v1", kind: "Etcd", name: "cluster" };

export default defineCheck({
  id: "etcd-health",
  title: "etcd is healthy",
  risks: [etcdNotHealthy],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  seenAfterUpdate: "The members of etcd are updated too.",
  reads: () => ({
    topology: buildTopologyRead(),
    etcd: get("operator.openshift.io/v1/etcds", "cluster", keepEtcd),
  }),
  mayRead: () => ({ operator: buildOperatorRead() }),
  follow({ topology, etcd }): { readonly operator?: Get<boolean> } {
    const needsOperator = !isHosted(topology) && etcd.kind === "found" && !etcd.value.isReported;
    return needsOperator ? { operator: buildOperatorRead() } : {};
  },
  evaluate({ topology, etcd }, context, { operator }): Judgement {
    if (isHosted(topology)) return { notApplicable: "The control plane is hosted, so its etcd runs elsewhere." };
    if (etcd.kind === "absent")
      return {
        notApplicable: "The cluster has no etcds.operator.openshift.io cluster, so no operator runs etcd here.",
      };
    const judgement = judge(etcd.value, context);
    return operator?.kind === "found" && operator.value ? { ...judgement, unknowns: [] } : judgement;
  },
});

/** The summary in ClusterOperator etcd, which is read only if Etcd itself reports nothing. */
function buildOperatorRead(): Get<boolean> {
  return get("config.openshift.io/v1/clusteroperators", "etcd", (object) => {
    const [available, degraded] = [findCondition(object, "Available"), findCondition(object, "Degraded")];
    return textAt(available, "status") === "True" && textAt(degraded, "status") === "False";
  });
}

function judge({ isReported, faults, isRollingOut }: Etcd, { now }: Context): Judgement {
  const isTransient = ({ since, gracePeriodMinutes }: EtcdFault) => isWithinMinutes(since, gracePeriodMinutes, now);
  const rolloutNotice = "Etcd cluster is rolling out a new revision to its members. Update once all of them have it.";
  return {
    findings: faults
      .filter((fault) => !isTransient(fault))
      .map((fault) => ({
        risk: etcdNotHealthy.name,
        object: ETCD,
        path: `status.conditions[${fault.type}]`,
        message: `${fault.type} is ${fault.status.slice(0, 40)}${formatCause(fault)}.`,
      })),
    notices: [
      ...faults
        .filter(isTransient)
        .map(
          ({ type, status, expected, gracePeriodMinutes }) =>
            `${type} of Etcd cluster has been ${status.slice(0, 40)} for less than ${gracePeriodMinutes} minutes. Update once it is ${expected}.`,
        ),
      ...(isRollingOut ? [rolloutNotice] : []),
    ],
    unknowns: isReported ? [] : [buildUnknown()],
  };
}

/** The operator's message names the members. */
function formatCause({ reason, message }: EtcdFault): string {
  if (message !== "") return `: "${quote(message, 240).replaceAll('"', "'")}"`;
  return reason === "" ? "" : ` (${reason})`;
}

function buildUnknown(): Unknown {
  const message = "its status has no condition EtcdMembersAvailable, so it is unknown whether etcd has a quorum";
  return { reason: "NotReported", where: "etcds.operator.openshift.io cluster", message };
}

/** A condition whose status is not `expected`. */
type EtcdFault = ConditionTexts & {
  readonly type: string;
  readonly expected: string;
  readonly gracePeriodMinutes: number;
};

/** The state of etcd in etcds.operator.openshift.io/cluster. */
type Etcd = {
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
  return rule === undefined || status === rule.expected
    ? []
    : [{ type, ...rule, ...parseConditionTexts(condition), status }];
}

/** The operator's installer sets targetRevision while it updates a node, and resets it to 0 afterwards. */
function isBehind(node: Json, latest: number): boolean {
  const current = numberAt(node, "currentRevision") ?? 0;
  const target = numberAt(node, "targetRevision") ?? 0;
  return (target !== 0 && target !== current) || current < latest;
}
