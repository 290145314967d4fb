import type { Finding, Unknown } from "../../model/check.ts";
import { findCondition } from "../../model/object.ts";
import { type JsonObject, type Json, at, flagAt, textAt, objectsAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { joinNames, sortNames } from "../../model/text.ts";

/** Why a node gets no pods, or loses them; `since` is absent if the object has no time for it. */
export type NodeFault = {
  readonly kind:
    | "not ready"
    | "cordoned"
    | "under disk pressure"
    | "without network"
    | "under memory pressure"
    | "under PID pressure";
  readonly path: string;
  readonly since?: string;
};

const ROLES = ["node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"];

export function isControlPlaneNode(node: JsonObject): boolean {
  return ROLES.some((role) => at(node, "metadata", "labels", role) !== undefined);
}

/** Undefined if the kubelet has not reported yet. */
export function isNodeReady(node: JsonObject): boolean | undefined {
  const ready = findCondition(node, "Ready");
  return ready && textAt(ready, "status") === "True";
}

/** Nobody knows what a node is before its kubelet has reported. */
export function buildUnreportedNode({ name }: { readonly name: string }): Unknown {
  return { reason: "NotReported", where: `Node ${name}`, message: "its status has no condition Ready" };
}

export function findNotReady(node: JsonObject): NodeFault | undefined {
  const ready = findCondition(node, "Ready");
  if (ready === undefined || textAt(ready, "status") === "True") return undefined;
  return buildFault("not ready", "status.conditions[Ready]", textAt(ready, "lastTransitionTime"));
}

/** The node controller taints cordoned nodes, and the taint holds the time. */
export function findCordon(node: JsonObject): NodeFault | undefined {
  if (flagAt(node, "spec", "unschedulable") !== true) return undefined;
  const taints = objectsAt(node, "spec", "taints");
  const taint = taints.find((one) => textAt(one, "key") === "node.kubernetes.io/unschedulable");
  return buildFault("cordoned", "spec.unschedulable", textAt(taint, "timeAdded"));
}

export function buildFault(kind: NodeFault["kind"], path: string, since: string | undefined): NodeFault {
  return { kind, path, since };
}

export const MACHINE_CONFIG_ANNOTATIONS = "machineconfiguration.openshift.io/";

export function getMachineConfigAnnotation(node: JsonObject, key: string): string | undefined {
  return textAt(node, "metadata", "annotations", `${MACHINE_CONFIG_ANNOTATIONS}${key}`);
}

/** Of "rendered-worker-" and a hash. A node without the annotation isn't managed by the machine-config operator. */
export function findPoolName(node: JsonObject): string | undefined {
  return /^rendered-([a-z0-9][a-z0-9.-]*)-[^-]+$/.exec(getMachineConfigAnnotation(node, "desiredConfig") ?? "")?.[1];
}

/** HyperShift labels the nodes of a NodePool with its name. */
export function findNodePool(node: JsonObject): string | undefined {
  return textAt(node, "metadata", "labels", "hypershift.openshift.io/nodePool");
}

/** "NodePool guest-a", as far as each node names its own. */
export function formatNodePools(findings: readonly Pick<Finding, "detail">[]): string {
  const pools = sortNames(findings.map(({ detail }) => detail?.["nodePool"] ?? ""));
  if (pools.length === 0 || pools.includes("")) return "the NodePools of these nodes";
  return `NodePool${pools.length > 1 ? "s" : ""} ${joinNames(pools)}`;
}

/** Whether the machine-config daemon is updating the node. A degraded node is not being updated, and waiting doesn't help it. */
export function isNodeUpdating(node: JsonObject): boolean {
  const state = getMachineConfigAnnotation(node, "state");
  if (state === "Working" || state === "Rebooting") return true;
  const [current, desired] = ["currentConfig", "desiredConfig"].map((key) => getMachineConfigAnnotation(node, key));
  return state === "Done" && current !== desired;
}

const API_VERSION = "machineconfiguration.openshift.io/v1";
export const MACHINE_CONFIG_POOLS = `${API_VERSION}/machineconfigpools`;

export function buildPoolRef(name: string): ObjectRef {
  return { apiVersion: API_VERSION, kind: "MachineConfigPool", name };
}

const REQUIRED_LABEL = "operator.machineconfiguration.openshift.io/required-for-upgrade";

/** The machine-config operator waits for the pool of the control plane and for those with this label. */
export function isRequiredPool(pool: JsonObject): boolean {
  return textAt(pool, "metadata", "name") === "master" || at(pool, "metadata", "labels", REQUIRED_LABEL) !== undefined;
}

/** How many nodes of a pool may be unavailable at once, or the text of a value with which the operator updates none. */
export type MaxUnavailable =
  | { readonly kind: "nodes"; readonly nodes: number }
  | { readonly kind: "unusable"; readonly text: string };

/**
 * Parses the value as the machine-config operator's node controller does: 1 by default, percentages rounded down, and 0 raised to 1
 * (so 0 doesn't stop a pool). With a negative number or a string without % it updates no node.
 */
export function parseMaxUnavailable(value: Json | undefined, machines: number): MaxUnavailable {
  if (value === undefined || value === null) return { kind: "nodes", nodes: 1 };
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return buildNodeCount(value);
  const percent = typeof value === "string" ? /^\+?(\d{1,9})%$/.exec(value)?.[1] : undefined;
  if (percent !== undefined) return buildNodeCount(Math.floor((Number(percent) * machines) / 100));
  return { kind: "unusable", text: JSON.stringify(value).slice(0, 40) };
}

function buildNodeCount(nodes: number): MaxUnavailable {
  return { kind: "nodes", nodes: Math.max(1, nodes) };
}
