import { type Blind, type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { conditionOf } from "../../model/conditions.ts";
import { textAt } from "../../model/json.ts";
import { type Get, type Got, get } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { isWithin } from "../../model/time.ts";
import { type Etcd, type Fault, keepEtcd } from "./etcd.ts";
import { etcdUnhealthy } from "./risks.ts";

const ETCD: ObjectRef = { apiVersion: "operator.openshift.io/v1", kind: "Etcd", name: "cluster" };
export default defineCheck({
  id: "etcd-health",
  name: "EtcdHealth",
  title: "etcd is healthy",
  risks: [etcdUnhealthy],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  reads: () => ({
    topology: get("config.openshift.io/v1/infrastructures", "cluster", (object) =>
      textAt(object, "status", "controlPlaneTopology"),
    ),
    etcd: get("operator.openshift.io/v1/etcds", "cluster", keepEtcd),
  }),
  mayRead: () => ({ operator: ownWord() }),
  follow({ topology, etcd }): { readonly operator?: Get<boolean> } {
    const isSilent = !isHosted(topology) && etcd.kind === "found" && !etcd.value.reported;
    return isSilent ? { operator: ownWord() } : {};
  },
  evaluate({ topology, etcd }, context, { operator }): Judgement {
    if (isHosted(topology)) return { notApplicable: "The control plane is hosted: its etcd is elsewhere." };
    if (etcd.kind === "absent")
      return { notApplicable: "There is no etcds.operator.openshift.io cluster: no operator runs etcd here." };
    const judged = judge(etcd.value, context);
    return operator?.kind === "found" && operator.value ? { ...judged, blind: [] } : judged;
  },
});

function isHosted(topology: Got<string | undefined>): boolean {
  return topology.kind === "found" && topology.value === "External";
}

/** What ClusterOperator etcd sums up: asked for only where Etcd itself reports nothing. */
function ownWord(): Get<boolean> {
  return get("config.openshift.io/v1/clusteroperators", "etcd", (object) => {
    const [available, degraded] = [conditionOf(object, "Available"), conditionOf(object, "Degraded")];
    return textAt(available, "status") === "True" && textAt(degraded, "status") === "False";
  });
}

function judge({ reported, faults, rollingOut }: Etcd, { now }: Context): Judgement {
  const passes = ({ since, passingMinutes }: Fault) => isWithin(since, passingMinutes, now);
  const rollOut = "Etcd cluster is rolling out a new revision to its members: update when all of them have it.";
  return {
    findings: faults
      .filter((fault) => !passes(fault))
      .map(({ type, reason }) => ({
        risk: etcdUnhealthy.name,
        object: ETCD,
        path: `status.conditions[${type}]`,
        message: `etcd's condition ${type} is not as it should be${reason === "" ? "" : `: ${reason}`}.`,
      })),
    notices: [
      ...faults.filter(passes).map(({ type }) => `Etcd cluster has only just reported ${type}: see whether it passes.`),
      ...(rollingOut ? [rollOut] : []),
    ],
    blind: reported ? [] : [unreported()],
  };
}

function unreported(): Blind {
  const message = "its status has no condition EtcdMembersAvailable, so whether there is a quorum is not known";
  return { reason: "NotReported", where: "etcds.operator.openshift.io cluster", message };
}
