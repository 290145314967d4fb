import { type JsonObject, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** A node and its kubelet. `minor` is that of Kubernetes 1, absent where the text is no such version. */
export type Kubelet = { readonly node: string; readonly text: string; readonly minor?: number };

/** Vendors append theirs: v1.33.4+a1b2c3d, v1.31.2-eks-7f9249a. */
const KUBELET_VERSION = /^v?1\.(0|[1-9]\d{0,3})(?:\.\d+)?(?:[-+].*)?$/;

export function keepKubelet(node: JsonObject): Kubelet {
  const text = textAt(node, "status", "nodeInfo", "kubeletVersion") ?? "";
  const match = KUBELET_VERSION.exec(text);
  return { node: textAt(node, "metadata", "name") ?? "", text, ...(match ? { minor: Number(match[1]) } : {}) };
}

export function buildNodeRef(name: string): ObjectRef {
  return { apiVersion: "v1", kind: "Node", name };
}
