import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type ControlPlane, SHARED, startCluster } from "../../../verify/api-server/control-plane.ts";
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
async function convertToCompact({ kubectl }: ControlPlane): Promise<void> {
  const replicas = '-p={"spec":{"replicas":0}}';
  const machineSets = await list(kubectl, "machinesets.machine.openshift.io", "-n", "openshift-machine-api");
  await kubectl(["delete", "nodes", "-l", WORKER]);
  await kubectl(["taint", "nodes", "--all", `${CONTROL_PLANE}:NoSchedule-`]);
  await kubectl(["label", "nodes", "--all", `${WORKER}=`]);
  await kubectl(["patch", "schedulers", "cluster", "--type=merge", '-p={"spec":{"mastersSchedulable":true}}']);
  await kubectl(["patch", ...machineSets, "-n", "openshift-machine-api", "--type=merge", replicas]);
  const counts = { machineCount: 0, updatedMachineCount: 0, readyMachineCount: 0 };
  await patchStatus(kubectl, "machineconfigpools/worker", counts);
}

async function convertToSingleNode({ kubectl }: ControlPlane): Promise<void> {
  await kubectl(["delete", "nodes", "-l", WORKER]);
  await kubectl(["delete", "nodes", "master-1.demo.example.com", "master-2.demo.example.com"]);
  const topology = "SingleReplica";
  await patchStatus(kubectl, INFRASTRUCTURE, { controlPlaneTopology: topology, infrastructureTopology: topology });
}

/** A guest: what runs the control plane, with the cluster-version operator, the machines and etcd, is in another cluster. */
async function convertToHosted({ kubectl }: ControlPlane, release: string): Promise<void> {
  await patchStatus(kubectl, INFRASTRUCTURE, { controlPlaneTopology: "External" });
  await kubectl(["delete", "nodes", "-l", CONTROL_PLANE]);
  await kubectl(["annotate", "nodes", "--all", "machine.openshift.io/machine-"]);
  await kubectl(["-n", "openshift-cluster-version", "delete", "deployment", "cluster-version-operator"]);
  await deleteSingletons(kubectl);
  await kubectl(["delete", "clusteroperators", ...OPERATORS_ABSENT_FROM_GUESTS]);
  await replaceCrds(kubectl, release);
  await replaceFeatureGates(kubectl, release);
}

const INFRASTRUCTURE = "infrastructures.config.openshift.io/cluster";

/** Their operators run beside the hosted control plane or nowhere, so that nothing makes an object of them. */
const SINGLETONS_OF_NO_GUEST = [
  "cloudcredentials.operator.openshift.io",
  "etcds.operator.openshift.io",
  "machineconfigurations.operator.openshift.io",
];

async function deleteSingletons(kubectl: ControlPlane["kubectl"]): Promise<void> {
  const installed = await list(kubectl, "crds");
  const crds = SINGLETONS_OF_NO_GUEST.filter((name) => installed.some((crd) => crd.endsWith(`/${name}`)));
  await kubectl(["delete", "--ignore-not-found", ...crds.map((crd) => `${crd}/cluster`)]);
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

/** Installs the profile's variants, and deletes what it doesn't include. */
async function replaceCrds(kubectl: ControlPlane["kubectl"], release: string): Promise<void> {
  const variants = (await findHostedVariants(release)).filter(({ crd }) => !CRDS_OF_NO_GUEST.includes(crd));
  const files = variants.flatMap(({ path }) => ["-f", path]);
  if (files.length > 0) await kubectl(["apply", "--server-side", "--force-conflicts", ...files]);
  const kept = [...CRDS_OF_EVERY_GUEST, ...variants.map(({ crd }) => crd)];
  const { items }: { readonly items: readonly Crd[] } = JSON.parse(await kubectl(["get", "crds", "-o", "json"]));
  const isAbsent = (crd: Crd): boolean =>
    CRDS_OF_NO_GUEST.includes(crd.metadata.name) || (isExcluded(crd) && !kept.includes(crd.metadata.name));
  const absent = items.filter(isAbsent).map(({ metadata }) => metadata.name);
  await kubectl(["delete", "crds", "--wait=false", ...absent]);
  await eventually(() => releaseCrds(kubectl, absent));
}

/** The finalizer deletes objects first, and waits for minutes where other CRDs of the group go at the same time. */
async function releaseCrds(kubectl: ControlPlane["kubectl"], names: readonly string[]): Promise<void> {
  const left = (await list(kubectl, "crds")).filter((crd) => names.some((name) => crd.endsWith(`/${name}`)));
  if (left.length === 0) return;
  await kubectl(["patch", ...left, "--type=merge", '-p={"metadata":{"finalizers":null}}']);
  assert.deepEqual(await list(kubectl, ...left, "--ignore-not-found"), [""]);
}

type Crd = { readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> } };

function isExcluded({ metadata: { annotations = {} } }: Crd): boolean {
  const isOfRelease = annotations[`${PROFILE}/self-managed-high-availability`] === "true";
  return isOfRelease && annotations[`${PROFILE}/ibm-cloud-managed`] !== "true";
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
async function replaceFeatureGates(kubectl: ControlPlane["kubectl"], release: string): Promise<void> {
  const folder = join(SHARED, "crds", "featuregates", release);
  const files = await readdir(folder).catch(() => []);
  const file = files.find((name) => name.endsWith("Hypershift-Default.yaml"));
  if (file === undefined) return;
  const { status }: { readonly status: FeatureGateStatus } = JSON.parse(await readFile(join(folder, file), "utf8"));
  const featureGates = status.featureGates.map((gates) => ({ ...gates, version: `${release}.8` }));
  await patchStatus(kubectl, "featuregates.config.openshift.io/cluster", { featureGates });
}

type FeatureGateStatus = { readonly featureGates: readonly object[] };

async function list(kubectl: ControlPlane["kubectl"], ...args: readonly string[]): Promise<readonly string[]> {
  return (await kubectl(["get", ...args, "-o", "name"])).trim().split("\n");
}

async function patchStatus(kubectl: ControlPlane["kubectl"], object: string, status: object): Promise<void> {
  await kubectl(["patch", object, "--subresource=status", "--type=merge", "-p", JSON.stringify({ status })]);
}

/** Releases that convert ConsolePlugins with a webhook. */
const WEBHOOK_CONVERTING = ["4.12", "4.13", "4.14", "4.15", "4.16"];

/** Adds what a real cluster has and a seeded one lacks: AWS's configuration, and the webhook that converts ConsolePlugins. */
async function addUnseededObjects({ kubectl }: ControlPlane, release: string, topology: Topology): Promise<void> {
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
  await kubectl(["create", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
}

function buildObject(apiVersion: string, kind: string, namespace: string, name: string, more: object): object {
  const labels = kind === "EndpointSlice" ? { labels: { "kubernetes.io/service-name": "webhook" } } : {};
  return { apiVersion, kind, metadata: { namespace, name, ...labels }, ...more };
}
