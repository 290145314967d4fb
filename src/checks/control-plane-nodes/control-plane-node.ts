import { type JsonObject, textAt } from "../../model/json.ts";
import {
  type NodeFault,
  findCordon,
  findNotReady,
  isControlPlaneNode,
  isNodeReady,
  isNodeUpdating,
} from "../shared/node.ts";

/** A control-plane node; `usable` means ready and schedulable. */
export type ControlPlaneNode = {
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
