import type { Unknown } from "../../model/check.ts";
import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, at, flagAt, isObject, listAt, textAt } from "../../model/json.ts";

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
  const taints = listAt(node, "spec", "taints").filter(isObject);
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

/** Whether the machine-config daemon is updating the node. A degraded node is not being updated, and waiting doesn't help it. */
export function isNodeUpdating(node: JsonObject): boolean {
  const state = getMachineConfigAnnotation(node, "state");
  if (state === "Working" || state === "Rebooting") return true;
  const [current, desired] = ["currentConfig", "desiredConfig"].map((key) => getMachineConfigAnnotation(node, key));
  return state === "Done" && current !== desired;
}
