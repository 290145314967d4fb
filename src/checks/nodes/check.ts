import { type Finding, type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { buildPrefix, quoteArgument } from "../../model/commands.ts";
import { readRisks } from "../shared/risks.ts";
import { buildTopologyRead } from "../../model/infrastructure.ts";
import { type Each, each, onlyOn, valuesOf, withAnnotations } from "../../model/read.ts";
import type { NodeFault } from "../shared/node.ts";
import { MACHINE_CONFIG_ANNOTATIONS, MACHINE_CONFIG_POOLS, buildUnreportedNode, buildPoolRef } from "../shared/node.ts";
import type { Capacity, Node, NodeRequests, Pool } from "./node.ts";
import { buildCapacity, buildPodsRead, findCrowded, isUsedUp, keepNode, keepPool } from "./node.ts";
import { capitalize, joinNames, summarizeNames } from "../../model/text.ts";
import { formatFullName } from "../../model/object.ts";
import { buildNodeRef } from "../../model/resource.ts";
import { isWithinMinutes } from "../../model/time.ts";
import { type JsonObject, at, listAt, textAt } from "../../model/json.ts";

const risks = readRisks("nodes", {
  ControlPlaneNodeNotReady: {},
  MachineConfigPoolCapacityUsedUp: {
    message: { nodes: formatNodes, waiting: formatWaiting },
    remediation: {
      steps: (_, findings = []) => formatSteps(findings),
    },
    fixKind: "safe",
    fix: (finding, { platform }) =>
      listDetail([finding], "cordoned").map((name) => `${buildPrefix(platform)} adm uncordon ${quoteArgument(name)}`),
  },
});

const MAX_POOLS = 3;

/** The update waits for some pools only. */
function formatWaiting(findings: readonly Finding[]): string {
  return findings.some(({ detail }) => detail?.["isRequired"] === "true") ? ", and the update can't complete" : "";
}

function formatNodes(findings: readonly Finding[]): string {
  return findings
    .slice(0, MAX_POOLS)
    .map(({ detail }) => detail?.["nodes"] ?? "")
    .join("; ");
}

function listDetail(findings: readonly Finding[], key: "cordoned" | "faulty"): readonly string[] {
  return findings.flatMap(({ detail }) => (detail?.[key] ?? "").split(", ").filter((name) => name !== ""));
}

/** A node that is only cordoned needs no repair. */
function formatSteps(findings: readonly Finding[]): string {
  const faulty = listDetail(findings, "faulty");
  const cordoned = listDetail(findings, "cordoned");
  if (faulty.length === 0 && cordoned.length > 0) return capitalize(formatUncordon(cordoned));
  const { names, argument } = nameNodes(faulty);
  const repair = `Repair or replace ${names} ("oc describe node ${argument}" shows the conditions)`;
  if (cordoned.length > 0) return `${repair}, ${formatUncordon(cordoned)}`;
  return faulty.length > 0 ? repair : `${repair}, uncordon those that are cordoned ("oc adm uncordon NAME")`;
}

function formatUncordon(nodes: readonly string[]): string {
  const { names, argument } = nameNodes(nodes);
  return `uncordon ${names} ("oc adm uncordon ${argument}")`;
}

/** Nodes in prose, and in a command that takes one. */
function nameNodes(nodes: readonly string[]): { readonly names: string; readonly argument: string } {
  const [only = "", ...others] = nodes;
  if (only === "") return { names: "these nodes", argument: "NAME" };
  return { names: summarizeNames(nodes), argument: others.length === 0 ? quoteArgument(only) : "NAME" };
}

export default defineCheck({
  id: "nodes",
  name: "NodesNotReady",
  title: "Nodes are available, and can be drained in turn",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  platforms: ["openshift", "kubernetes"],
  seenAfterUpdate: "The nodes are updated too, except those of paused pools.",
  hosted: { seenAfterUpdate: "The nodes are updated too, once their NodePools are." },
  reads: () => ({
    nodes: withAnnotations([MACHINE_CONFIG_ANNOTATIONS], each("v1/nodes", keepNode)),
    pools: onlyOn("openshift", each(MACHINE_CONFIG_POOLS, keepPool)),
    topology: onlyOn("openshift", buildTopologyRead()),
  }),
  mayRead: () => ({ healthChecks: buildHealthChecksRead(), pods: buildPodsRead() }),
  // A single node has no other to which its pods could move.
  follow: ({ nodes }) => ({
    ...(valuesOf(nodes).length > 0 ? { healthChecks: buildHealthChecksRead() } : {}),
    ...(valuesOf(nodes).length > 1 ? { pods: buildPodsRead() } : {}),
  }),
  evaluate({ nodes, pools, topology }, context, { healthChecks, pods }) {
    if (valuesOf(nodes).length === 0) return { notApplicable: "The cluster has no nodes." };
    const cluster = {
      nodes: valuesOf(nodes),
      pools: valuesOf(pools),
      isHighlyAvailable: topology.kind === "found" && topology.value === "HighlyAvailable",
      unpausedHealthChecks: healthChecks ? valuesOf(healthChecks) : [],
      requests: pods ? valuesOf(pods) : [],
    };
    // They give notices alone.
    return { ...judgeNodes(cluster, context), irrelevantReads: ["healthChecks", "pods"] };
  },
});

function buildHealthChecksRead(): Each<string> {
  return onlyOn("openshift", each("machine.openshift.io/v1beta1/machinehealthchecks", keepUnpausedHealthCheck));
}

type Cluster = {
  readonly nodes: readonly Node[];
  readonly pools: readonly Pool[];
  readonly isHighlyAvailable: boolean;
  readonly unpausedHealthChecks: readonly string[];
  readonly requests: readonly NodeRequests[];
};

/** A node that restarts or is drained manually is back by then. */
const GRACE_PERIOD_MINUTES = 10;
/** With fewer, another check reports the nodes of a highly available control plane. */
const MIN_CONTROL_PLANE_NODES = 3;

export function judgeNodes(cluster: Cluster, context: Context): Judgement {
  const { nodes, unpausedHealthChecks } = cluster;
  const capacities = selectCapacities(cluster, context);
  const usedUp = capacities.filter(isUsedUp);
  const blocked = usedUp.filter((one) => isBlocked(one, context.now));
  const named = new Set(usedUp.flatMap(({ unavailableNodes }) => unavailableNodes));
  const others = nodes.filter((node) => !named.has(node) && !isLeftToOtherCheck(node, cluster, context));
  const notReady = context.platform === "kubernetes" ? others.filter((node) => isKubeadmFault(node, context.now)) : [];
  return {
    findings: [...blocked.map((one) => buildPoolFinding(one, context.now)), ...notReady.map(buildNodeFinding)],
    notices: [
      ...usedUp.filter((one) => !blocked.includes(one)).map(buildPoolNotice),
      ...buildFaultNotices(
        others.filter((node) => !notReady.includes(node)),
        context,
      ),
      ...buildRoomNotices(cluster),
      ...(unpausedHealthChecks.length > 0 ? [buildHealthCheckNotice(unpausedHealthChecks)] : []),
    ],
    unknowns: others.filter(({ isReported }) => !isReported).map(buildUnreportedNode),
  };
}

/** Nothing updates the nodes of a paused pool. */
function selectCapacities({ nodes, pools, isHighlyAvailable }: Cluster, { checks }: Context): readonly Capacity[] {
  const usable = nodes.filter(({ isControlPlane, fault }) => isControlPlane && !isUnusable(fault));
  const isReported = isHighlyAvailable && usable.length < MIN_CONTROL_PLANE_NODES && checks.includes(CONTROL_PLANE);
  return pools
    .filter(({ name, isPaused }) => !isPaused && !(name === "master" && isReported))
    .map((pool) => buildCapacity(pool, nodes));
}

const CONTROL_PLANE = "control-plane-nodes";

function isLeftToOtherCheck(node: Node, { isHighlyAvailable }: Cluster, { checks }: Context): boolean {
  const isKnownThere = node.fault === undefined || isUnusable(node.fault);
  return (
    node.isControlPlane &&
    isHighlyAvailable &&
    isKnownThere &&
    node.pressure === undefined &&
    checks.includes(CONTROL_PLANE)
  );
}

function isUnusable(fault: NodeFault | undefined): boolean {
  return fault?.kind === "not ready" || fault?.kind === "cordoned";
}

/** Unavailable for longer than an update or a restart explains. A degraded pool names its degraded nodes itself. */
function isPersistent({ fault, isUpdating, isDegraded }: Node, now: Date): boolean {
  return fault !== undefined && !isUpdating && !isDegraded && !isWithinMinutes(fault.since, GRACE_PERIOD_MINUTES, now);
}

function isBlocked({ max, unavailableNodes }: Capacity, now: Date): boolean {
  return max.kind === "nodes" && unavailableNodes.filter((node) => isPersistent(node, now)).length >= max.nodes;
}

function buildPoolFinding({ pool, unavailableNodes }: Capacity, now: Date): Finding {
  const persistentNodes = unavailableNodes.filter((node) => isPersistent(node, now));
  const nodes = summarizeNames(persistentNodes.map(formatFault));
  const { cordoned = [], faulty = [] } = Object.groupBy(persistentNodes, ({ fault }) =>
    fault?.kind === "cordoned" ? "cordoned" : "faulty",
  );
  return {
    risk: risks.MachineConfigPoolCapacityUsedUp.name,
    object: buildPoolRef(pool.name),
    message: `As many of its nodes are unavailable as spec.maxUnavailable allows: ${nodes}.`,
    detail: { nodes, cordoned: joinNodes(cordoned), faulty: joinNodes(faulty), isRequired: String(pool.isRequired) },
  };
}

function joinNodes(nodes: readonly Node[]): string {
  return nodes.map(({ name }) => name).join(", ");
}

function formatFault({ name, fault }: Node): string {
  return `${name} is ${fault?.kind ?? "being updated"}`;
}

function buildPoolNotice({ pool, unavailableNodes }: Capacity): string {
  return `MachineConfigPool ${pool.name} has as many unavailable nodes as spec.maxUnavailable allows (${summarizeNames(unavailableNodes.map(formatFault))}): the machine-config operator updates no node there until one of these is available again.`;
}

function isKubeadmFault(node: Node, now: Date): boolean {
  return node.isControlPlane && node.fault?.kind === "not ready" && isPersistent(node, now);
}

function buildNodeFinding({ name }: Node): Finding {
  const risk = risks.ControlPlaneNodeNotReady.name;
  const path = "status.conditions[Ready]";
  return { risk, object: buildNodeRef(name), path, message: "This control-plane node is not ready." };
}

/** One notice for all nodes of the same fault. */
function buildFaultNotices(nodes: readonly Node[], { platform }: Context): readonly string[] {
  const faults = nodes.flatMap(({ name, fault, pressure, isUpdating }) => {
    const kind = (fault ?? pressure)?.kind;
    return kind === undefined || isUpdating ? [] : [{ name, kind }];
  });
  const command = `${platform === "openshift" ? "oc" : "kubectl"} describe node NAME`;
  return [...Map.groupBy(faults, ({ kind }) => kind)].map(([kind, group]) => {
    const [noun, verb] = group.length === 1 ? ["Node", "is"] : ["Nodes", "are"];
    const names = summarizeNames(group.map(({ name }) => name));
    return `${noun} ${names} ${verb} ${kind}: pods of other nodes can't move there while these are drained. Update once "${command}" shows that this has ended.`;
  });
}

function buildRoomNotices({ nodes, requests }: Cluster): readonly string[] {
  const crowded = findCrowded(nodes, requests);
  if (crowded.length === 0) return [];
  const names = summarizeNames(crowded.map(({ node }) => node));
  const resources = joinNames([...new Set(crowded.map(({ resource }) => formatResource(resource)))]);
  return [
    `The pods of a drained node need more ${resources} than all other nodes have left: ${names}. While one of these is drained, some of its pods stay Pending, unless nodes are added.`,
  ];
}

function formatResource(resource: string): string {
  return resource === "pods" ? "pod slots (kubelet maxPods)" : resource === "cpu" ? "CPU" : resource;
}

const PAUSED = "cluster.x-k8s.io/paused";

/** "namespace/name" of a MachineHealthCheck that replaces nodes that are not ready, unless it is paused. */
function keepUnpausedHealthCheck(object: JsonObject): string | undefined {
  if (at(object, "metadata", "annotations", PAUSED) !== undefined) return undefined;
  const types = listAt(object, "spec", "unhealthyConditions").map((one) => textAt(one, "type"));
  if (!types.includes("Ready")) return undefined;
  return formatFullName(object);
}

function buildHealthCheckNotice(names: readonly string[]): string {
  const command = `oc -n NAMESPACE annotate machinehealthcheck NAME ${PAUSED}=`;
  return `MachineHealthChecks may replace nodes while they restart in the update: ${summarizeNames(names)}. Pause them until it has finished ("${command}").`;
}
