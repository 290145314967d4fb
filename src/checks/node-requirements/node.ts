import { type JsonObject, textAt } from "../../model/json.ts";

/** `runtime`: "containerd://1.7.24". `osImage`: "Ubuntu 22.04.5 LTS". */
export type NodeSoftware = { readonly name: string; readonly runtime: string; readonly osImage: string };

export function keepNodeSoftware(node: JsonObject): NodeSoftware {
  const info = (field: string): string => textAt(node, "status", "nodeInfo", field) ?? "";
  return {
    name: textAt(node, "metadata", "name") ?? "",
    runtime: info("containerRuntimeVersion"),
    osImage: info("osImage"),
  };
}
