import { type Unknown, type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { findCondition } from "../../model/conditions.ts";
import { buildTopologyRead, isHosted } from "../../model/infrastructure.ts";
import { textAt } from "../../model/json.ts";
import { quote } from "../../model/quote.ts";
import { type Get, get } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { isWithinMinutes } from "../../model/time.ts";
import { type Etcd, type EtcdFault, keepEtcd } from "./etcd.ts";
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
