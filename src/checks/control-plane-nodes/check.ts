import { readRisks } from "../shared/risks.ts";
import { type Context, type Finding, type Judgement, type Unknown, defineCheck } from "../../model/check.ts";
import { buildTopologyRead } from "../../model/infrastructure.ts";
import { joinNames } from "../../model/text.ts";
import { each, valuesOf, withAnnotations } from "../../model/read.ts";
import { type ObjectRef, buildNodeRef } from "../../model/resource.ts";
import { isWithinMinutes } from "../../model/time.ts";
import {
  MACHINE_CONFIG_ANNOTATIONS,
  type NodeFault,
  buildUnreportedNode,
  findCordon,
  findNotReady,
  isControlPlaneNode,
  isNodeReady,
  isNodeUpdating,
} from "../shared/node.ts";
import { type JsonObject, textAt } from "../../model/json.ts";

const risks = readRisks("control-plane-nodes", {
  ControlPlaneNodeUnusable: {},
  HighlyAvailableControlPlaneIncomplete: {},
});

const INFRASTRUCTURE: ObjectRef = { apiVersion: "config.openshift.io/v1", kind: "Infrastructure", name: "cluster" };
const TOPOLOGY = "status.controlPlaneTopology";
/** The fewest nodes with which etcd keeps its quorum while one of them restarts. */
const MIN_NODES = 3;
/** A node that restarts or is drained manually is back by then. */
const GRACE_PERIOD_MINUTES = 10;

export default defineCheck({
  id: "control-plane-nodes",
  name: "ControlPlaneNodesNotReady",
  title: "At least three control-plane nodes are ready and schedulable",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  seenAfterUpdate: "The nodes of the control plane are updated too.",
  reads: () => ({
    topology: buildTopologyRead(),
    nodes: withAnnotations([MACHINE_CONFIG_ANNOTATIONS], each("v1/nodes", keepControlPlaneNode)),
  }),
  evaluate({ topology, nodes }, context): Judgement {
    if (topology.kind === "absent")
      return { notApplicable: "The cluster has no infrastructures.config.openshift.io cluster." };
    if (topology.value === "") return { unknowns: [buildTopologyUnknown()] };
    if (topology.value !== "HighlyAvailable")
      return { notApplicable: `The control plane's topology is ${topology.value}, not HighlyAvailable.` };
    return judge(valuesOf(nodes), context);
  },
});

function buildTopologyUnknown(): Unknown {
  const where = `infrastructures.config.openshift.io cluster ${TOPOLOGY}`;
  return { reason: "NotReported", where, message: "it is empty, so the expected number of nodes is unknown" };
}

function judge(nodes: readonly ControlPlaneNode[], { now }: Context): Judgement {
  const usable = nodes.filter(({ state }) => state.kind === "usable");
  const unusableNodes = nodes.flatMap(({ name, state }) => (state.kind === "unusable" ? [{ name, ...state }] : []));
  const isTransient = (one: UnusableNode) =>
    usable.length >= MIN_NODES || one.isUpdating || isWithinMinutes(one.fault.since, GRACE_PERIOD_MINUTES, now);
  return {
    findings: [...buildSizeFindings(nodes), ...unusableNodes.filter((one) => !isTransient(one)).map(buildFinding)],
    notices: unusableNodes.filter(isTransient).map(buildNotice),
    unknowns: nodes.filter(({ state }) => state.kind === "unreported").map(buildUnreportedNode),
  };
}

type UnusableNode = { readonly name: string; readonly fault: NodeFault; readonly isUpdating: boolean };

function buildSizeFindings(nodes: readonly ControlPlaneNode[]): readonly Finding[] {
  if (nodes.length >= MIN_NODES) return [];
  const names = nodes.length === 0 ? "no nodes" : joinNames(nodes.map(({ name }) => name));
  const message = `It is HighlyAvailable, but the control plane has fewer than three nodes: ${names}.`;
  return [
    {
      risk: risks.HighlyAvailableControlPlaneIncomplete.name,
      object: INFRASTRUCTURE,
      path: TOPOLOGY,
      message,
      detail: { nodes: names },
    },
  ];
}

function buildFinding({ name, fault }: UnusableNode): Finding {
  return {
    risk: risks.ControlPlaneNodeUnusable.name,
    object: buildNodeRef(name),
    path: fault.path,
    message: `This control-plane node is ${fault.kind}.`,
  };
}

function buildNotice({ name, fault }: UnusableNode): string {
  return `Control-plane node ${name} is ${fault.kind}: update once "oc get nodes" shows it as Ready and schedulable again.`;
}

/** A control-plane node; `usable` means ready and schedulable. */
type ControlPlaneNode = {
  readonly name: string;
  readonly state:
    | { readonly kind: "usable" }
    | { readonly kind: "unusable"; readonly fault: NodeFault; readonly isUpdating: boolean }
    | { readonly kind: "unreported" };
};

export function keepControlPlaneNode(object: JsonObject): ControlPlaneNode | undefined {
  if (!isControlPlaneNode(object)) return undefined;
  return { name: textAt(object, "metadata", "name") ?? "", state: parseState(object) };
}

function parseState(object: JsonObject): ControlPlaneNode["state"] {
  if (isNodeReady(object) === undefined) return { kind: "unreported" };
  const fault = findNotReady(object) ?? findCordon(object);
  return fault ? { kind: "unusable", fault, isUpdating: isNodeUpdating(object) } : { kind: "usable" };
}
