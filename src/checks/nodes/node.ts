import { type Json, type JsonObject, at, flagAt, listAt, objectsAt, textAt } from "../../model/json.ts";
import { findCondition } from "../../model/object.ts";
import { type Each, each } from "../../model/read.ts";
import { parseQuantity, toApproximateFloat } from "../../schema/cel/index.ts";
import type { MaxUnavailable, NodeFault } from "../shared/node.ts";
import {
  buildFault,
  findCordon,
  findNotReady,
  findPoolName,
  getMachineConfigAnnotation,
  isControlPlaneNode,
  isNodeReady,
  isNodeUpdating,
  isRequiredPool,
  parseMaxUnavailable,
} from "../shared/node.ts";
import { findController, isGone } from "../shared/pod.ts";

/** The fields of a node that matter here. */
export type Node = {
  readonly name: string;
  /** Whether its kubelet has reported anything yet. */
  readonly isReported: boolean;
  readonly isControlPlane: boolean;
  readonly isUpdating: boolean;
  /** The machine-config daemon has given up; the pool's conditions name the node. */
  readonly isDegraded: boolean;
  /** The machine config pool that last configured it. */
  readonly pool?: string;
  /** Why the machine-config operator counts it as unavailable. */
  readonly fault?: NodeFault;
  /** The node is available, but the kubelet evicts pods, or the scheduler places none there. */
  readonly pressure?: NodeFault;
  /** Only pods that tolerate its taints may run there. */
  readonly isTainted: boolean;
  readonly allocatable: Requests;
};

export function keepNode(object: JsonObject): Node {
  const state = getMachineConfigAnnotation(object, "state");
  return {
    name: textAt(object, "metadata", "name") ?? "",
    isReported: isNodeReady(object) !== undefined,
    isControlPlane: isControlPlaneNode(object),
    isUpdating: isNodeUpdating(object),
    isDegraded: state === "Degraded" || state === "Unreconcilable",
    isTainted: objectsAt(object, "spec", "taints").some(preventsScheduling),
    allocatable: parseRequests(at(object, "status", "allocatable")),
    pool: findPoolName(object),
    fault: findFault(object),
    pressure: findPressure(object),
  };
}

/** The conditions by which the machine-config operator's node controller decides. */
function findFault(object: JsonObject): NodeFault | undefined {
  return (
    findNotReady(object) ??
    findCordon(object) ??
    findTrueCondition(object, "DiskPressure", "under disk pressure") ??
    findTrueCondition(object, "NetworkUnavailable", "without network")
  );
}

function findPressure(object: JsonObject): NodeFault | undefined {
  return (
    findTrueCondition(object, "MemoryPressure", "under memory pressure") ??
    findTrueCondition(object, "PIDPressure", "under PID pressure")
  );
}

function findTrueCondition(object: JsonObject, type: string, kind: NodeFault["kind"]): NodeFault | undefined {
  const condition = findCondition(object, type);
  if (textAt(condition, "status") !== "True") return undefined;
  return buildFault(kind, `status.conditions[${type}]`, textAt(condition, "lastTransitionTime"));
}

function preventsScheduling(taint: JsonObject): boolean {
  return textAt(taint, "effect") !== "PreferNoSchedule";
}

/** A machine config pool with the nodes that it manages. */
export type Pool = {
  readonly name: string;
  /** The update can't complete without this pool. */
  readonly isRequired: boolean;
  readonly isPaused: boolean;
  readonly maxUnavailable: Json | undefined;
};

export function keepPool(object: JsonObject): Pool {
  return {
    name: textAt(object, "metadata", "name") ?? "",
    isRequired: isRequiredPool(object),
    isPaused: flagAt(object, "spec", "paused") === true,
    maxUnavailable: at(object, "spec", "maxUnavailable"),
  };
}

/** How many nodes of a pool are unavailable, and how many may be. */
export type Capacity = {
  readonly pool: Pool;
  readonly max: MaxUnavailable;
  readonly unavailableNodes: readonly Node[];
};

/** A node that the daemon updates is unavailable as well, or soon will be. */
export function buildCapacity(pool: Pool, nodes: readonly Node[]): Capacity {
  const members = nodes.filter((node) => node.pool === pool.name);
  const max = parseMaxUnavailable(pool.maxUnavailable, members.length);
  return { pool, max, unavailableNodes: members.filter(({ fault, isUpdating }) => fault ?? isUpdating) };
}

export function isUsedUp({ max, unavailableNodes }: Capacity): boolean {
  return max.kind === "nodes" && unavailableNodes.length >= max.nodes;
}

/** An amount of each resource that every pod needs: cores, bytes, and the pods themselves. */
type Requests = { readonly cpu: number; readonly memory: number; readonly pods: number };

const RESOURCES = ["cpu", "memory", "pods"] as const;
const NO_REQUESTS: Requests = { cpu: 0, memory: 0, pods: 0 };

function parseRequests(resources: Json | undefined): Requests {
  const parse = (name: string): number => parseAmount(at(resources, name));
  return { cpu: parse("cpu"), memory: parse("memory"), pods: parse("pods") };
}

function parseAmount(value: Json | undefined): number {
  if (typeof value === "number") return value;
  const quantity = typeof value === "string" ? parseQuantity(value) : undefined;
  return quantity === undefined ? 0 : toApproximateFloat(quantity);
}

function addRequests(a: Requests, b: Requests): Requests {
  return { cpu: a.cpu + b.cpu, memory: a.memory + b.memory, pods: a.pods + b.pods };
}

/** What is left of `a` without `b`, at least nothing. */
function subtractRequests(a: Requests, b: Requests): Requests {
  const subtract = (resource: keyof Requests): number => Math.max(0, a[resource] - b[resource]);
  return { cpu: subtract("cpu"), memory: subtract("memory"), pods: subtract("pods") };
}

/** The sums of the requests on one node. */
export type NodeRequests = {
  readonly node: string;
  /** Of all pods. */
  used: Requests;
  /** Of those that a controller creates anew elsewhere if the node is drained, and that run on untainted nodes only. */
  movable: Requests;
};

/** Sums up while the pods are streamed: a cluster has too many to keep them. */
export function buildPodsRead(): Each<NodeRequests> {
  const sums = new Map<string, NodeRequests>();
  return {
    ...each("v1/pods", (pod) => addPod(pod, sums)),
    begin: () => {
      sums.clear();
    },
    done: () => {
      sums.clear();
    },
  };
}

function addPod(pod: JsonObject, sums: Map<string, NodeRequests>): NodeRequests | undefined {
  const node = textAt(pod, "spec", "nodeName") ?? "";
  if (node === "" || isGone(pod)) return undefined;
  const known = sums.get(node);
  const sum = known ?? { node, used: NO_REQUESTS, movable: NO_REQUESTS };
  sums.set(node, sum);
  const requests = sumContainers(pod);
  sum.used = addRequests(sum.used, requests);
  if (isMovable(pod)) sum.movable = addRequests(sum.movable, requests);
  return known === undefined ? sum : undefined;
}

/** Containers alone: with init containers and overhead a pod needs as much or more. */
function sumContainers(pod: JsonObject): Requests {
  const containers = listAt(pod, "spec", "containers").map((one) => parseRequests(at(one, "resources", "requests")));
  return { ...containers.reduce(addRequests, NO_REQUESTS), pods: 1 };
}

function isMovable(pod: JsonObject): boolean {
  const kind = textAt(findController(pod), "kind");
  return kind !== undefined && kind !== "DaemonSet" && kind !== "Node" && !toleratesTaints(pod);
}

/** Every pod tolerates for some minutes that its node is not ready or unreachable. */
function toleratesTaints(pod: JsonObject): boolean {
  const tolerations = objectsAt(pod, "spec", "tolerations");
  return tolerations.some((one) => !(textAt(one, "key") ?? "").startsWith("node.kubernetes.io/"));
}

/** A node whose pods don't all fit on the others, and the resource that these lack. */
type Crowded = { readonly node: string; readonly resource: keyof Requests };

/** Rounding of fractions of cores must not make a node crowded. */
const TOLERANCE = 1e-6;

/**
 * Whatever the scheduler does, pods stay Pending if together they request more than all other nodes have left. It is told only then:
 * affinity, selectors and fragments of room may keep further pods Pending. Nothing is told if a kubelet has not reported its room.
 */
export function findCrowded(nodes: readonly Node[], sums: readonly NodeRequests[]): readonly Crowded[] {
  const byNode = new Map(sums.map((sum) => [sum.node, sum]));
  const open = nodes.filter(isOpen);
  if (open.some(({ allocatable }) => RESOURCES.some((one) => allocatable[one] === 0))) return [];
  const free = new Map(
    open.map(({ name, allocatable }) => [name, subtractRequests(allocatable, byNode.get(name)?.used ?? NO_REQUESTS)]),
  );
  const total = [...free.values()].reduce(addRequests, NO_REQUESTS);
  return nodes.flatMap(({ name, fault }) => {
    const movable = byNode.get(name)?.movable;
    if (fault || movable === undefined) return [];
    const room = subtractRequests(total, free.get(name) ?? NO_REQUESTS);
    const resource = RESOURCES.find((one) => movable[one] > room[one] * (1 + TOLERANCE) + TOLERANCE);
    return resource === undefined ? [] : [{ node: name, resource }];
  });
}

function isOpen({ fault, pressure, isTainted }: Node): boolean {
  return fault === undefined && pressure === undefined && !isTainted;
}
