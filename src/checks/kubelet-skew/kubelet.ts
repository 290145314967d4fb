import { type JsonObject, textAt } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";

/** A node and its kubelet. `minor` is that of Kubernetes 1, absent if the text is not such a version. */
export type Kubelet = { readonly node: string; readonly text: string; readonly minor?: number };

/** Vendors append suffixes: v1.33.4+a1b2c3d, v1.31.2-eks-7f9249a. */
const KUBELET_VERSION = /^v?1\.(0|[1-9]\d{0,3})(?:\.\d+)?(?:[-+].*)?$/;

export function keepKubelet(node: JsonObject): Kubelet {
  const text = textAt(node, "status", "nodeInfo", "kubeletVersion") ?? "";
  return { node: textAt(node, "metadata", "name") ?? "", text, ...defined({ minor: parseKubeletMinor(text) }) };
}

/** The minor of Kubernetes 1, or undefined if the text is not such a version. */
export function parseKubeletMinor(text: string): number | undefined {
  const match = KUBELET_VERSION.exec(text);
  return match ? Number(match[1]) : undefined;
}
