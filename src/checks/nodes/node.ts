import { findCondition } from "../../model/object.ts";
import { type JsonObject, type Json, at, textAt, flagAt, objectsAt } from "../../model/json.ts";
import type { NodeFault, MaxUnavailable } from "../shared/node.ts";
import {
  buildFault,
  findCordon,
  findNotReady,
  findPoolName,
  getMachineConfigAnnotation,
  isControlPlaneNode,
  isNodeReady,
  isNodeUpdating,
  parseMaxUnavailable,
  isRequiredPool,
} from "../shared/node.ts";
import { type Requests, parseRequests } from "./pod-requests.ts";

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
