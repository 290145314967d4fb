import { type JsonObject, objectAt, objectsAt, textAt } from "../../model/json.ts";

/** What the guest's ClusterVersion has, as far as its HostedCluster repeats it: HyperShift copies its status there. */
export function buildGuestClusterVersion(hostedCluster: JsonObject): JsonObject {
  const status = objectAt(hostedCluster, "status", "version");
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    spec: {
      clusterID: textAt(hostedCluster, "spec", "clusterID") ?? "",
      channel: textAt(hostedCluster, "spec", "channel") ?? "",
      upstream: textAt(hostedCluster, "spec", "updateService") ?? "",
    },
    status: {
      ...status,
      desired: { ...objectAt(status, "desired"), ...buildArchitecture(hostedCluster) },
      conditions: listGuestConditions(hostedCluster),
    },
  };
}

/** The architecture of the release that the control plane runs: HyperShift has AMD64 where ClusterVersion has none. */
function buildArchitecture(hostedCluster: JsonObject): JsonObject {
  const architecture = textAt(hostedCluster, "status", "payloadArch");
  return architecture === undefined ? {} : { architecture };
}

/** What the guest's operator reports, which is "ClusterVersionUpgradeable" here and "Upgradeable" there. */
const PREFIX = "ClusterVersion";

function listGuestConditions(hostedCluster: JsonObject): readonly JsonObject[] {
  return objectsAt(hostedCluster, "status", "conditions").flatMap((condition) => {
    const type = textAt(condition, "type") ?? "";
    return type.startsWith(PREFIX) ? [{ ...condition, type: type.slice(PREFIX.length) }] : [];
  });
}

export function buildGuestFeatureGate(hostedCluster: JsonObject): JsonObject {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: { name: "cluster" },
    spec: objectAt(hostedCluster, "spec", "configuration", "featureGate"),
  };
}

export function buildGuestInfrastructure(hostedCluster: JsonObject): JsonObject {
  const type = textAt(hostedCluster, "spec", "platform", "type") ?? "";
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    status: { controlPlaneTopology: "External", platform: type, platformStatus: { type } },
  };
}
