import { type JsonObject, textAt } from "./json.ts";
import { type Get, type GetResult, get } from "./read.ts";
import { type ObjectRef, getGroup } from "./resource.ts";

/** The profile of every cluster whose control plane, with the operator, runs in another cluster. */
export const HOSTED_PROFILE = "ibm-cloud-managed";

/** The topology of every cluster whose control plane runs in another cluster. */
export const HOSTED_TOPOLOGY = "External";

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
  return topology.kind === "found" && topology.value === HOSTED_TOPOLOGY;
}

/** The same of an Infrastructure as it was read. */
export function hasHostedControlPlane(infrastructure: JsonObject | undefined): boolean {
  return textAt(infrastructure, "status", "controlPlaneTopology") === HOSTED_TOPOLOGY;
}

/** Why nothing is written to such a ClusterVersion. Source: reconcileClusterVersion and hcpstatus.go of openshift/hypershift. */
export const HOSTED_VERSION =
  "this cluster's control plane is hosted: HyperShift removes spec.desiredUpdate from its ClusterVersion, and takes the release from the HostedCluster (spec.release.image, on the management cluster)";

/**
 * The kinds that only HyperShift may change in a hosted cluster, by what the HostedCluster says.
 * Source: admissionpolicies.go of the hosted cluster config operator (openshift/hypershift).
 */
const SET_BY_HOSTED_CLUSTER: Readonly<Record<string, readonly string[]>> = {
  "config.openshift.io": [
    "APIServer",
    "Authentication",
    "FeatureGate",
    "Image",
    "ImageDigestMirrorSet",
    "ImageTagMirrorSet",
    "Infrastructure",
    "Ingress",
    "Network",
    "OAuth",
    "Proxy",
    "Scheduler",
  ],
  "operator.openshift.io": ["ImageContentSourcePolicy"],
};

export function isSetByHostedCluster({ apiVersion, kind }: ObjectRef): boolean {
  return SET_BY_HOSTED_CLUSTER[getGroup(apiVersion)]?.includes(kind) === true;
}
