import { type Blind, type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { textAt } from "../../model/json.ts";
import { get } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { ageOf } from "../../model/time.ts";
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
  evaluate({ topology, etcd }, context): Judgement {
    if (topology.kind === "found" && topology.value === "External")
      return { notApplicable: "The control plane is hosted: its etcd is elsewhere." };
    if (etcd.kind === "absent")
      return { notApplicable: "There is no etcds.operator.openshift.io cluster: no operator runs etcd here." };
    return judge(etcd.value, context);
  },
});

function judge({ reported, faults, rollingOut }: Etcd, { now }: Context): Judgement {
  const passes = ({ since, passingMinutes }: Fault) => isRecent(since, passingMinutes, now);
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

/** A time that can't be read, or is ahead of ours, doesn't excuse anything. */
function isRecent(since: string | undefined, minutes: number, now: Date): boolean {
  const age = ageOf(since, now);
  return age !== undefined && age >= 0 && age < minutes * 60_000;
}
