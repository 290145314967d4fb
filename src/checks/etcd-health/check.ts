import { type Unknown, type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { findCondition } from "../../model/conditions.ts";
import { textAt } from "../../model/json.ts";
import { type Get, type GetResult, get } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { isWithinMinutes } from "../../model/time.ts";
import { type Etcd, type EtcdFault, keepEtcd } from "./etcd.ts";
import { etcdNotHealthy } from "./risks.ts";

const ETCD: ObjectRef = { apiVersion: "operator.openshift.io/v1", kind: "Etcd", name: "cluster" };
export default defineCheck({
  id: "etcd-health",
  name: "EtcdHealth",
  title: "etcd is healthy",
  risks: [etcdNotHealthy],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  reads: () => ({
    topology: get("config.openshift.io/v1/infrastructures", "cluster", (object) =>
      textAt(object, "status", "controlPlaneTopology"),
    ),
    etcd: get("operator.openshift.io/v1/etcds", "cluster", keepEtcd),
  }),
  mayRead: () => ({ operator: buildOperatorRead() }),
  follow({ topology, etcd }): { readonly operator?: Get<boolean> } {
    const isSilent = !isHosted(topology) && etcd.kind === "found" && !etcd.value.isReported;
    return isSilent ? { operator: buildOperatorRead() } : {};
  },
  evaluate({ topology, etcd }, context, { operator }): Judgement {
    if (isHosted(topology)) return { notApplicable: "The control plane is hosted: its etcd is elsewhere." };
    if (etcd.kind === "absent")
      return { notApplicable: "There is no etcds.operator.openshift.io cluster: no operator runs etcd here." };
    const judged = judge(etcd.value, context);
    return operator?.kind === "found" && operator.value ? { ...judged, unknowns: [] } : judged;
  },
});

function isHosted(topology: GetResult<string | undefined>): boolean {
  return topology.kind === "found" && topology.value === "External";
}

/** What ClusterOperator etcd sums up: asked for only where Etcd itself reports nothing. */
function buildOperatorRead(): Get<boolean> {
  return get("config.openshift.io/v1/clusteroperators", "etcd", (object) => {
    const [available, degraded] = [findCondition(object, "Available"), findCondition(object, "Degraded")];
    return textAt(available, "status") === "True" && textAt(degraded, "status") === "False";
  });
}

function judge({ isReported, faults, isRollingOut }: Etcd, { now }: Context): Judgement {
  const isTransient = ({ since, gracePeriodMinutes }: EtcdFault) => isWithinMinutes(since, gracePeriodMinutes, now);
  const rolloutNotice = "Etcd cluster is rolling out a new revision to its members: update when all of them have it.";
  return {
    findings: faults
      .filter((fault) => !isTransient(fault))
      .map(({ type, reason }) => ({
        risk: etcdNotHealthy.name,
        object: ETCD,
        path: `status.conditions[${type}]`,
        message: `etcd's condition ${type} is not as it should be${reason === "" ? "" : `: ${reason}`}.`,
      })),
    notices: [
      ...faults
        .filter(isTransient)
        .map(({ type }) => `Etcd cluster has only just reported ${type}: see whether it passes.`),
      ...(isRollingOut ? [rolloutNotice] : []),
    ],
    unknowns: isReported ? [] : [buildUnknown()],
  };
}

function buildUnknown(): Unknown {
  const message = "its status has no condition EtcdMembersAvailable, so whether there is a quorum is not known";
  return { reason: "NotReported", where: "etcds.operator.openshift.io cluster", message };
}
