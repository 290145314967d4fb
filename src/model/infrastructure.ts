import { type JsonObject, textAt } from "./json.ts";
import { type Get, type GetResult, get } from "./read.ts";

/** The profile of every cluster whose control plane, with the operator, runs in another cluster. */
export const HOSTED_PROFILE = "ibm-cloud-managed";

/** status.controlPlaneTopology of infrastructures.config.openshift.io/cluster, or "" if it is not reported. */
export function buildTopologyRead(): Get<string> {
  return get(
    "config.openshift.io/v1/infrastructures",
    "cluster",
    (object) => textAt(object, "status", "controlPlaneTopology") ?? "",
  );
}

/** The platform that an Infrastructure reports, such as "AWS", or "". `status.platform` is the deprecated field. */
export function getInfrastructurePlatform(infrastructure: JsonObject): string {
  return (
    textAt(infrastructure, "status", "platformStatus", "type") ?? textAt(infrastructure, "status", "platform") ?? ""
  );
}

/** The control plane of a hosted cluster runs in another cluster. */
export function isHosted(topology: GetResult<string>): boolean {
  return topology.kind === "found" && topology.value === "External";
}
