import { type Json, type JsonObject, isList, isObject, textAt } from "../model/json.ts";
import { patchValue } from "./patch.ts";

/** What every cluster holds, then what the base of a case says of it, then the case. */
export function buildCluster(source: Json | undefined, layers: readonly JsonObject[]): JsonObject {
  const reads = new Map<string, Json>(Object.entries(buildDefaults(source)));
  for (const [path, value] of layers.flatMap((layer) => Object.entries(layer))) {
    if (!path.startsWith("/")) throw new Error(`cluster: ${path} is no API path`);
    reads.set(path, patchRead(reads.get(path), value));
  }
  const isOperatorGiven = layers.some((layer) => Object.hasOwn(layer, OPERATOR));
  if (!isOperatorGiven && isHostedIn(reads.get(INFRASTRUCTURE))) reads.set(OPERATOR, { error: "404 not found" });
  const isOpenShift = typeof source === "string";
  return Object.fromEntries(
    [...reads].map(([path, value]) => [path, isList(value) ? buildList(path, value, isOpenShift) : value]),
  );
}

function buildDefaults(source: Json | undefined): JsonObject {
  if (typeof source === "string") return buildOpenShiftDefaults(source);
  const version = textAt(source, "kubernetes");
  if (version !== undefined) return buildKubernetesDefaults(version);
  throw new Error("source: give the cluster's version, 4.18.5 or {kubernetes: v1.31.4}");
}

/** The operator of a hosted cluster runs beside its control plane, in another cluster. */
function isHostedIn(infrastructure: Json | undefined): boolean {
  return textAt(infrastructure, "status", "controlPlaneTopology") === "External";
}

/** One read in a recording's format: null means absent. An error holds nothing that could be changed, and changes nothing. */
function patchRead(before: Json | undefined, value: Json): Json {
  if (value === null) return { error: "404 not found" };
  return isError(before) || isError(value) ? value : patchValue(before, value);
}

function isError(value: Json | undefined): boolean {
  return isObject(value) && value["error"] !== undefined && value["kind"] === undefined;
}

/** What every cluster has is in the list, too; `{items: [...]}` is a list without it. */
function buildList(path: string, items: readonly Json[], isOpenShift: boolean): JsonObject {
  const names = new Set(items.map((item) => textAt(item, "metadata", "name")));
  const missing = listDefaultItems(path, isOpenShift).filter((item) => !names.has(textAt(item, "metadata", "name")));
  return { items: [...items, ...missing] };
}

const CONFIG = "/apis/config.openshift.io/v1";
export const CLUSTER_VERSION = `${CONFIG}/clusterversions/version`;
export const FEATURE_GATES = `${CONFIG}/featuregates/cluster`;
export const INFRASTRUCTURE = `${CONFIG}/infrastructures/cluster`;
export const OPERATOR = "/apis/apps/v1/namespaces/openshift-cluster-version/deployments/cluster-version-operator";

/** The contents of every OpenShift cluster. A case gives only the differences. */
export function buildOpenShiftDefaults(version: string): JsonObject {
  return {
    [CLUSTER_VERSION]: buildClusterVersion(version),
    [FEATURE_GATES]: buildConfig("FeatureGate", "cluster", { spec: {} }),
    [INFRASTRUCTURE]: buildConfig("Infrastructure", "cluster", {
      spec: {},
      status: { controlPlaneTopology: "HighlyAvailable", infrastructureTopology: "HighlyAvailable" },
    }),
    [OPERATOR]: buildOperator(),
    ...buildDiscovery(["config.openshift.io/v1"]),
  };
}

export const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const NAMESPACES = "/api/v1/namespaces";

/** The objects that a list has in every cluster, and that a case need not name. */
export function listDefaultItems(path: string, isOpenShift: boolean): readonly JsonObject[] {
  if (path === NAMESPACES) return [KUBE_SYSTEM];
  return path === CRDS && isOpenShift ? [CLUSTER_VERSION_CRD] : [];
}

const KUBE_SYSTEM: JsonObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-system" } };

const CLUSTER_VERSION_CRD: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "clusterversions.config.openshift.io" },
  spec: {
    group: "config.openshift.io",
    scope: "Cluster",
    names: {
      plural: "clusterversions",
      kind: "ClusterVersion",
      listKind: "ClusterVersionList",
      singular: "clusterversion",
    },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
  status: { storedVersions: ["v1"] },
};

/** Versions that stay. A case about a version that is removed names it, too. */
const SERVED = [
  "admissionregistration.k8s.io/v1",
  "apps/v1",
  "autoscaling/v2",
  "flowcontrol.apiserver.k8s.io/v1",
  "networking.k8s.io/v1",
  "policy/v1",
  "resource.k8s.io/v1",
  "storage.k8s.io/v1",
];

export const DISCOVERY = "/apis";

/** The API server's answer to /apis. */
function buildDiscovery(more: readonly string[]): JsonObject {
  const groups = [...SERVED, ...more].map((groupVersion) => ({ versions: [{ groupVersion }] }));
  return { [DISCOVERY]: { kind: "APIGroupList", groups } };
}

/** Kubernetes without OpenShift serves none of these kinds; only its version is known. */
function buildKubernetesDefaults(version: string): JsonObject {
  const notServed = { error: "404 not found", what: "resource" };
  return {
    [CLUSTER_VERSION]: notServed,
    [FEATURE_GATES]: notServed,
    [INFRASTRUCTURE]: notServed,
    [OPERATOR]: { error: "404 not found" },
    "/version": { gitVersion: version },
    ...buildDiscovery([]),
  };
}

/** A target release of which a case gives only the version; a folder without manifests is not a release. */
export const DEFAULT_MANIFEST: JsonObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    namespace: "openshift-demo",
    name: "demo",
    annotations: { "include.release.openshift.io/self-managed-high-availability": "true" },
  },
  data: { a: "b" },
};

function buildClusterVersion(version: string): JsonObject {
  const release = { version, image: `registry.example/release:${version}` };
  const update = { startedTime: "2026-01-01T00:00:00Z", completionTime: "2026-01-01T01:00:00Z", verified: true };
  return buildConfig("ClusterVersion", "version", {
    spec: { clusterID: "11111111-2222-4333-8444-555555555555" },
    status: { desired: release, history: [{ state: "Completed", ...release, ...update }] },
  });
}

export function buildOperator(): JsonObject {
  const name = "cluster-version-operator";
  const env = [{ name: "CLUSTER_PROFILE", value: "self-managed-high-availability" }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "openshift-cluster-version", name },
    spec: { template: { spec: { containers: [{ name, env }] } } },
  };
}

function buildConfig(kind: string, name: string, more: JsonObject): JsonObject {
  return { apiVersion: "config.openshift.io/v1", kind, metadata: { name }, ...more };
}
