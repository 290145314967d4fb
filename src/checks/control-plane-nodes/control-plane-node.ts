import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, at, flagAt, isObject, listAt, textAt } from "../../model/json.ts";

/** Why a control-plane node is unusable; `since` is absent if the object has no time for it. */
export type NodeFault = {
  readonly kind: "not ready" | "cordoned";
  readonly path: string;
  readonly since: string | undefined;
};

/** A control-plane node; `usable` means ready and schedulable. */
export type ControlPlaneNode = {
  readonly name: string;
  readonly state:
    | { readonly kind: "usable" }
    | { readonly kind: "unusable"; readonly fault: NodeFault; readonly isUpdating: boolean }
    | { readonly kind: "unreported" };
};

const ROLES = ["node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"];

export function keepControlPlaneNode(object: JsonObject): ControlPlaneNode | undefined {
  if (!ROLES.some((role) => at(object, "metadata", "labels", role) !== undefined)) return undefined;
  return { name: textAt(object, "metadata", "name") ?? "", state: parseState(object) };
}

function parseState(object: JsonObject): ControlPlaneNode["state"] {
  const ready = findCondition(object, "Ready");
  if (ready === undefined) return { kind: "unreported" };
  if (textAt(ready, "status") !== "True") {
    const since = textAt(ready, "lastTransitionTime");
    return buildUnusableState(object, { kind: "not ready", path: "status.conditions[Ready]", since });
  }
  if (flagAt(object, "spec", "unschedulable") !== true) return { kind: "usable" };
  return buildUnusableState(object, { kind: "cordoned", path: "spec.unschedulable", since: findCordonTime(object) });
}

function buildUnusableState(object: JsonObject, fault: NodeFault): ControlPlaneNode["state"] {
  return { kind: "unusable", fault, isUpdating: isUpdating(object) };
}

/** The node controller taints cordoned nodes, and the taint holds the time. */
function findCordonTime(object: JsonObject): string | undefined {
  const taints = listAt(object, "spec", "taints").filter(isObject);
  return textAt(
    taints.find((taint) => textAt(taint, "key") === "node.kubernetes.io/unschedulable"),
    "timeAdded",
  );
}

const ANNOTATION_PREFIX = "machineconfiguration.openshift.io/";

/** Whether the machine-config daemon is updating the node. A degraded node is not being updated, and waiting doesn't help it. */
function isUpdating(object: JsonObject): boolean {
  const getAnnotation = (key: string) => textAt(object, "metadata", "annotations", `${ANNOTATION_PREFIX}${key}`);
  if (getAnnotation("state") === "Working" || getAnnotation("state") === "Rebooting") return true;
  return getAnnotation("state") === "Done" && getAnnotation("currentConfig") !== getAnnotation("desiredConfig");
}
