import type { JsonObject } from "../../../src/model/json.ts";

const GROUP = "hypershift.openshift.io";
const API_VERSION = `${GROUP}/v1beta1`;

/** The kinds as HyperShift names them, and no rule for their fields: these definitions are the tests' own. */
export const HYPERSHIFT_CRDS: readonly JsonObject[] = [
  buildCrd("HostedCluster", "hostedclusters"),
  buildCrd("NodePool", "nodepools"),
];

function buildCrd(kind: string, plural: string): JsonObject {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: "v1beta1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

export function buildNamespace(name: string): JsonObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

/** What the operator says of itself. */
export function buildSupportedVersions(versions: readonly string[]): JsonObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "hypershift", name: "supported-versions" },
    data: { "server-version": "2f6cfe21", "supported-versions": JSON.stringify({ versions }) },
  };
}

const GOOD_CONDITIONS = [
  "Available",
  "EtcdAvailable",
  "KubeAPIServerAvailable",
  "InfrastructureReady",
  "ValidConfiguration",
  "SupportedHostedCluster",
  "ValidReleaseImage",
  "ClusterVersionUpgradeable",
  "ClusterVersionRetrievedUpdates",
];

function buildConditions(states: Readonly<Record<string, string>>): readonly JsonObject[] {
  return Object.entries(states).map(([type, status]) => ({
    type,
    status,
    reason: "AsExpected",
    message: "",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  }));
}

function buildRelease(version: string): JsonObject {
  return { version, image: `registry.example/release:${version}` };
}

/** What differs from a healthy object: conditions by type, and fields of the spec. */
export type HostedFault = {
  readonly conditions?: Readonly<Record<string, string>>;
  readonly spec?: JsonObject;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** A HostedCluster that runs `version`. */
export function buildHostedCluster(name: string, version: string, fault: HostedFault = {}): JsonObject {
  const release = buildRelease(version);
  const history = [
    { state: "Completed", ...release, startedTime: "2026-01-01T00:00:00Z", completionTime: "2026-01-01T01:00:00Z" },
  ];
  const states = Object.fromEntries(GOOD_CONDITIONS.map((type) => [type, "True"]));
  return {
    apiVersion: API_VERSION,
    kind: "HostedCluster",
    metadata: { namespace: "clusters", name, annotations: { ...fault.annotations } },
    spec: {
      clusterID: "22222222-3333-4444-8555-666666666666",
      channel: "stable",
      release: { image: `registry.example/release:${version}` },
      networking: { networkType: "OVNKubernetes" },
      platform: { type: "AWS" },
      ...fault.spec,
    },
    status: {
      payloadArch: "Multi",
      version: { desired: release, history },
      controlPlaneVersion: { desired: release, history },
      conditions: buildConditions({ ...states, Degraded: "False", ...fault.conditions }),
    },
  };
}

/** A NodePool of a hosted cluster. */
export function buildNodePool(clusterName: string, name: string, version: string, fault: HostedFault = {}): JsonObject {
  const states = { ValidReleaseImage: "True", Ready: "True", AllNodesHealthy: "True", UpdatingVersion: "False" };
  return {
    apiVersion: API_VERSION,
    kind: "NodePool",
    metadata: { namespace: "clusters", name },
    spec: {
      clusterName,
      arch: "amd64",
      replicas: 2,
      release: { image: `registry.example/release:${version}` },
      management: { upgradeType: "Replace", replace: { strategy: "RollingUpdate" } },
      ...fault.spec,
    },
    status: { version, replicas: 2, conditions: buildConditions({ ...states, ...fault.conditions }) },
  };
}
