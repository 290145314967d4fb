import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isObject, type JsonObject, listAt, textAt } from "../../../src/model/json.ts";
import { CRDS } from "../../../verify/api-server/api-path.ts";
import { applyObjects, readManifests } from "../../../verify/api-server/apply-objects.ts";
import { type ControlPlane, SHARED, startCluster } from "../../../verify/api-server/control-plane.ts";
import { deleteObject, patchObject, readObject } from "../../../verify/api-server/objects.ts";
import { eventually } from "../../../verify/shared/eventually.ts";

/** The shapes of a healthy cluster; all but "dual" have one IP family and run on AWS. */
export const TOPOLOGIES = ["ha", "dual", "compact", "single-node", "hosted"] as const;
export type Topology = (typeof TOPOLOGIES)[number];

const CONVERSIONS: Readonly<Record<Topology, (cluster: ControlPlane, release: string) => Promise<void>>> = {
  ha: () => Promise.resolve(),
  dual: () => Promise.resolve(),
  compact: convertToCompact,
  "single-node": convertToSingleNode,
  hosted: convertToHosted,
};

const CONTROL_PLANE = "node-role.kubernetes.io/master";
const WORKER = "node-role.kubernetes.io/worker";
const PROFILE = "include.release.openshift.io";

/** Starts a seeded cluster of a release and gives it the shape of a topology. */
export async function startTopology(release: string, topology: Topology): Promise<ControlPlane> {
  const cluster = await startCluster(release, "--network", topology === "dual" ? "dual" : "single");
  try {
    await addUnseededObjects(cluster, release, topology);
    await CONVERSIONS[topology](cluster, release);
    return cluster;
  } catch (thrown) {
    await cluster.down();
    throw thrown;
  }
}

/** Three nodes, each of which is of the control plane and a worker too. */
async function convertToCompact(cluster: ControlPlane): Promise<void> {
  await deleteObject(cluster, `${NODES}?labelSelector=${WORKER}`);
  for (const { name, object } of await list(cluster, NODES)) {
    const taints = listAt(object, "spec", "taints").filter((taint) => textAt(taint, "key") !== CONTROL_PLANE);
    await patchObject(cluster, `${NODES}/${name}`, { metadata: { labels: { [WORKER]: "" } }, spec: { taints } });
  }
  await patchObject(cluster, `${CONFIG}/schedulers/cluster`, { spec: { mastersSchedulable: true } });
  const machineSets = "/apis/machine.openshift.io/v1beta1/namespaces/openshift-machine-api/machinesets";
  for (const { name } of await list(cluster, machineSets))
    await patchObject(cluster, `${machineSets}/${name}`, { spec: { replicas: 0 } });
  const counts = { machineCount: 0, updatedMachineCount: 0, readyMachineCount: 0 };
  await patchStatus(cluster, "/apis/machineconfiguration.openshift.io/v1/machineconfigpools/worker", counts);
}

async function convertToSingleNode(cluster: ControlPlane): Promise<void> {
  await deleteObject(cluster, `${NODES}?labelSelector=${WORKER}`);
  for (const name of ["master-1", "master-2"]) await deleteObject(cluster, `${NODES}/${name}.demo.example.com`);
  const topology = "SingleReplica";
  await patchStatus(cluster, INFRASTRUCTURE, { controlPlaneTopology: topology, infrastructureTopology: topology });
}

/** A guest: what runs the control plane, with the cluster-version operator, the machines and etcd, is in another cluster. */
async function convertToHosted(cluster: ControlPlane, release: string): Promise<void> {
  await patchStatus(cluster, INFRASTRUCTURE, { controlPlaneTopology: "External" });
  await deleteObject(cluster, `${NODES}?labelSelector=${CONTROL_PLANE}`);
  for (const { name } of await list(cluster, NODES))
    await patchObject(cluster, `${NODES}/${name}`, {
      metadata: { annotations: { "machine.openshift.io/machine": null } },
    });
  await deleteObject(cluster, CLUSTER_VERSION_OPERATOR);
  await deleteSingletons(cluster);
  for (const name of OPERATORS_ABSENT_FROM_GUESTS) await deleteObject(cluster, `${CONFIG}/clusteroperators/${name}`);
  await replaceCrds(cluster, release);
  await replaceFeatureGates(cluster, release);
}

const NODES = "/api/v1/nodes";
const CONFIG = "/apis/config.openshift.io/v1";
const CLUSTER_VERSION_OPERATOR =
  "/apis/apps/v1/namespaces/openshift-cluster-version/deployments/cluster-version-operator";
const INFRASTRUCTURE = `${CONFIG}/infrastructures/cluster`;

/** Their operators run beside the hosted control plane or nowhere, so that nothing makes an object of them. */
const SINGLETONS_OF_NO_GUEST = ["cloudcredentials", "etcds", "machineconfigurations"];

async function deleteSingletons(cluster: ControlPlane): Promise<void> {
  const installed = new Set((await list(cluster, CRDS)).map(({ name }) => name));
  for (const resource of SINGLETONS_OF_NO_GUEST)
    if (installed.has(`${resource}.operator.openshift.io`))
      await deleteObject(cluster, `/apis/operator.openshift.io/v1/${resource}`);
}

const OPERATORS_ABSENT_FROM_GUESTS = [
  "authentication",
  "cloud-controller-manager",
  "cloud-credential",
  "cluster-autoscaler",
  "config-operator",
  "control-plane-machine-set",
  "etcd",
  "machine-api",
  "machine-approver",
  "machine-config",
  "marketplace",
];

/** HyperShift installs these by other means than the manifests of the profile. */
const CRDS_OF_EVERY_GUEST = [
  "apirequestcounts.apiserver.openshift.io",
  "clusteroperators.config.openshift.io",
  "clusterversions.config.openshift.io",
  "networks.operator.openshift.io",
  "podnetworkconnectivitychecks.controlplane.operator.openshift.io",
];

/** HyperShift deletes these although the profile has them. */
const CRDS_OF_NO_GUEST = [
  "machineconfigpools.machineconfiguration.openshift.io",
  "machineconfigs.machineconfiguration.openshift.io",
];

/** Installs the profile's variants as the seed installed the others, and deletes what it doesn't include. */
async function replaceCrds(cluster: ControlPlane, release: string): Promise<void> {
  const variants = (await findHostedVariants(release)).filter(({ crd }) => !CRDS_OF_NO_GUEST.includes(crd));
  await applyObjects(
    cluster,
    variants.flatMap(({ path }) => readManifests(path)),
    "kubectl",
  );
  const kept = [...CRDS_OF_EVERY_GUEST, ...variants.map(({ crd }) => crd)];
  const isAbsent = ({ name, object }: Listed): boolean =>
    CRDS_OF_NO_GUEST.includes(name) || (isExcluded(object) && !kept.includes(name));
  const absent = (await list(cluster, CRDS)).filter(isAbsent).map(({ name }) => name);
  for (const name of absent) await deleteObject(cluster, `${CRDS}/${name}`);
  await eventually(() => releaseCrds(cluster, absent));
}

/** The finalizer deletes objects first, and waits for minutes where other CRDs of the group go at the same time. */
async function releaseCrds(cluster: ControlPlane, names: readonly string[]): Promise<void> {
  const listLeft = async (): Promise<readonly string[]> =>
    (await list(cluster, CRDS)).map(({ name }) => name).filter((name) => names.includes(name));
  for (const name of await listLeft())
    await patchObject(cluster, `${CRDS}/${name}`, { metadata: { finalizers: null } });
  assert.deepEqual(await listLeft(), []);
}

function isExcluded(crd: JsonObject): boolean {
  const isOf = (profile: string): boolean => textAt(crd, "metadata", "annotations", `${PROFILE}/${profile}`) === "true";
  return isOf("self-managed-high-availability") && !isOf("ibm-cloud-managed");
}

/** The CRD manifests of the Default feature set that no other profile includes. */
async function findHostedVariants(
  release: string,
): Promise<readonly { readonly crd: string; readonly path: string }[]> {
  const index = await readFile(join(SHARED, "crds", "INDEX.tsv"), "utf8");
  return index
    .split("\n")
    .map((line) => line.split("\t"))
    .filter(
      ([of, , , sets = "", profiles]) => of === release && profiles === "Hypershift" && /^\*$|\bDefault\b/.test(sets),
    )
    .map(([, file = "", crd = ""]) => ({ crd, path: join(SHARED, "crds", release, file) }));
}

/** Reports the feature gates of the profile; releases before 4.15 have no such manifest. */
async function replaceFeatureGates(cluster: ControlPlane, release: string): Promise<void> {
  const folder = join(SHARED, "crds", "featuregates", release);
  const files = await readdir(folder).catch(() => []);
  const file = files.find((name) => name.endsWith("Hypershift-Default.yaml"));
  if (file === undefined) return;
  const { status }: { readonly status: FeatureGateStatus } = JSON.parse(await readFile(join(folder, file), "utf8"));
  const featureGates = status.featureGates.map((gates) => ({ ...gates, version: `${release}.8` }));
  await patchStatus(cluster, `${CONFIG}/featuregates/cluster`, { featureGates });
}

type FeatureGateStatus = { readonly featureGates: readonly JsonObject[] };

type Listed = { readonly name: string; readonly object: JsonObject };

async function list(cluster: ControlPlane, path: string): Promise<readonly Listed[]> {
  const items = listAt(await readObject(cluster, path), "items").filter(isObject);
  return items.map((object) => ({ name: textAt(object, "metadata", "name") ?? "", object }));
}

async function patchStatus(cluster: ControlPlane, path: string, status: JsonObject): Promise<void> {
  await patchObject(cluster, `${path}/status`, { status });
}

/** Releases that convert ConsolePlugins with a webhook. */
const WEBHOOK_CONVERTING = ["4.12", "4.13", "4.14", "4.15", "4.16"];

/** Adds what a real cluster has and a seeded one lacks: AWS's configuration, and the webhook that converts ConsolePlugins. */
async function addUnseededObjects(cluster: ControlPlane, release: string, topology: Topology): Promise<void> {
  const cloud = "openshift-cloud-controller-manager";
  const console = "openshift-console-operator";
  const endpoints = ["10.128.0.20", "10.129.0.20"].map((address, i) => ({
    addresses: [address],
    conditions: { ready: true },
    targetRef: { kind: "Pod", namespace: console, name: `webhook-${i}` },
  }));
  const webhook = [
    buildObject("v1", "Service", console, "webhook", { spec: { ports: [{ name: "webhook", port: 9443 }] } }),
    buildObject("discovery.k8s.io/v1", "EndpointSlice", console, "webhook-1", {
      addressType: "IPv4",
      endpoints,
      ports: [{ name: "webhook", port: 9443 }],
    }),
  ];
  const items = [
    ...[cloud, console].map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
    // The cloud controller manager of a guest runs beside its control plane.
    ...(topology === "hosted" ? [] : [buildObject("v1", "ConfigMap", cloud, "cloud-conf", {})]),
    ...(WEBHOOK_CONVERTING.includes(release) ? webhook : []),
  ];
  await applyObjects(cluster, items);
}

function buildObject(apiVersion: string, kind: string, namespace: string, name: string, more: JsonObject): JsonObject {
  const labels: JsonObject = kind === "EndpointSlice" ? { labels: { "kubernetes.io/service-name": "webhook" } } : {};
  return { apiVersion, kind, metadata: { namespace, name, ...labels }, ...more };
}
