import { type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { textAt } from "../../model/json.ts";
import { joinNames } from "../../model/names.ts";
import { each, get, valuesOf } from "../../model/read.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { isWithin } from "../../model/time.ts";
import { type ControlPlaneNode, type Fault, keepControlPlaneNode } from "./node.ts";
import { tooFew, unusable } from "./risks.ts";

const INFRASTRUCTURE: ObjectRef = { apiVersion: "config.openshift.io/v1", kind: "Infrastructure", name: "cluster" };
const TOPOLOGY = "status.controlPlaneTopology";
/** What a quorum of etcd needs to outlive the restart of one node. */
const NEEDED = 3;
/** A node that restarts, or is drained by hand, is back before. */
const PASSING_MINUTES = 10;

export default defineCheck({
  id: "control-plane-nodes",
  name: "ControlPlaneNodesNotReady",
  title: "At least three control-plane nodes are ready and schedulable",
  risks: [unusable, tooFew],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  reads: () => ({
    topology: get("config.openshift.io/v1/infrastructures", "cluster", (object) =>
      textAt(object, "status", "controlPlaneTopology"),
    ),
    nodes: each("v1/nodes", keepControlPlaneNode),
  }),
  evaluate({ topology, nodes }, context): Judgement {
    if (topology.kind === "absent")
      return { notApplicable: "There is no infrastructures.config.openshift.io cluster." };
    if (!topology.value) return { blind: [noTopology()] };
    if (topology.value !== "HighlyAvailable")
      return { notApplicable: `The control plane's topology is ${topology.value}, not HighlyAvailable.` };
    return judge(valuesOf(nodes), context);
  },
});

function noTopology() {
  const where = `infrastructures.config.openshift.io cluster ${TOPOLOGY}`;
  return { reason: "NotReported", where, message: "it is empty, so how many nodes there should be is not known" };
}

function judge(nodes: readonly ControlPlaneNode[], { now }: Context): Judgement {
  const usable = nodes.filter(({ state }) => state.kind === "usable");
  const lacking = nodes.flatMap(({ name, state }) => (state.kind === "unusable" ? [{ name, ...state }] : []));
  const passes = (one: Lacking) =>
    usable.length >= NEEDED || one.updating || isWithin(one.fault.since, PASSING_MINUTES, now);
  return {
    findings: [...sizeFindings(nodes), ...lacking.filter((one) => !passes(one)).map(findingOf)],
    notices: lacking.filter(passes).map(noticeOf),
    blind: nodes.filter(({ state }) => state.kind === "unreported").map(({ name }) => unreported(name)),
  };
}

type Lacking = { readonly name: string; readonly fault: Fault; readonly updating: boolean };

function sizeFindings(nodes: readonly ControlPlaneNode[]): readonly Finding[] {
  if (nodes.length >= NEEDED) return [];
  const names = nodes.length === 0 ? "no nodes" : joinNames(nodes.map(({ name }) => name));
  const message = `It is HighlyAvailable, and the control plane has fewer than three nodes: ${names}.`;
  return [{ risk: tooFew.name, object: INFRASTRUCTURE, path: TOPOLOGY, message, detail: { nodes: names } }];
}

function findingOf({ name, fault }: Lacking): Finding {
  const object: ObjectRef = { apiVersion: "v1", kind: "Node", name };
  return { risk: unusable.name, object, path: fault.path, message: `This control-plane node is ${fault.kind}.` };
}

function noticeOf({ name, fault }: Lacking): string {
  return `Node ${name} of the control plane is ${fault.kind}: update when it is back.`;
}

function unreported(name: string) {
  return { reason: "NotReported", where: `Node ${name}`, message: "its status has no condition Ready" };
}
