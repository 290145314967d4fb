// A cluster as large as Kubernetes supports: 5,000 nodes with 150,000 pods, and 1,000 CRDs.
import { CRDS, type MockCluster, type MockList, startMockCluster } from "./mock-cluster.ts";

const NODES = 5_000;
const PODS = 150_000;
const CRD_COUNT = 1_000;
const BUDGETS = 2_000;
const NAMESPACES = 1_000;
/** A node names the images that it has, which is most of its bytes. */
const IMAGES_OF_NODE = 50;
const FIELDS_OF_CRD = 100;

export async function startLargeCluster(): Promise<MockCluster> {
  return startMockCluster([
    build("v1", "Node", "/api/v1/nodes", NODES, formatNode),
    build("v1", "Pod", "/api/v1/pods", PODS, formatPod),
    build("v1", "Namespace", "/api/v1/namespaces", NAMESPACES, formatNamespace),
    build("policy/v1", "PodDisruptionBudget", "/apis/policy/v1/poddisruptionbudgets", BUDGETS, formatBudget),
    build("v1", "Service", "/api/v1/services", 0, () => "{}"),
    build("discovery.k8s.io/v1", "EndpointSlice", "/apis/discovery.k8s.io/v1/endpointslices", 0, () => "{}"),
    { ...CRDS, count: CRD_COUNT, format: formatCrd },
  ]);
}

/** Items of built-in kinds are sent with apiVersion and kind here too, since the mock's list names its own at the end. */
function build(apiVersion: string, kind: string, path: string, count: number, format: MockList["format"]): MockList {
  const head = `{"apiVersion":"${apiVersion}","kind":"${kind}",`;
  return { apiVersion, kind, path, count, format: (i) => head + format(i).slice(1) };
}

/** The first one is that of every cluster. */
function formatNamespace(i: number): string {
  return `{"metadata":{"name":"${i === 0 ? "kube-system" : `team-${i}`}"}}`;
}

function formatNode(i: number): string {
  const images = Array.from({ length: IMAGES_OF_NODE }, (_, k) => ({
    names: [
      `registry.example.com/team-${k}/service@sha256:${String(k).padStart(64, "0")}`,
      `registry.example.com/service:${k}`,
    ],
    sizeBytes: 100_000_000 + k,
  }));
  return JSON.stringify({
    metadata: {
      name: `node-${i}`,
      labels: { "kubernetes.io/hostname": `node-${i}`, "node-role.kubernetes.io/worker": "" },
    },
    spec: { podCIDR: "10.0.0.0/24", providerID: `example://${i}` },
    status: {
      conditions: [
        { type: "Ready", status: "True", reason: "KubeletReady", lastTransitionTime: "2026-01-15T10:00:00Z" },
      ],
      nodeInfo: { kubeletVersion: "v1.35.2", containerRuntimeVersion: "containerd://2.1.0", osImage: "Example Linux" },
      images,
    },
  });
}

function formatPod(i: number): string {
  const containers = ["app", "sidecar"].map((name) => ({
    name,
    image: `registry.example.com/${name}:1`,
    env: Array.from({ length: 20 }, (_, k) => ({ name: `SETTING_${k}`, value: `value-${k}-${i}` })),
    volumeMounts: [{ name: "token", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true }],
  }));
  return JSON.stringify({
    metadata: { name: `pod-${i}`, namespace: `team-${i % NAMESPACES}`, labels: { app: `app-${i % BUDGETS}` } },
    spec: { nodeName: `node-${i % NODES}`, containers, volumes: [{ name: "token", projected: { sources: [] } }] },
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }], podIP: "10.0.0.1" },
  });
}

/** One in a hundred allows no disruption, so the pods are read too. */
function formatBudget(i: number): string {
  const allowed = i % 100 === 0 ? 0 : 1;
  const labels = { app: `app-${i}` };
  return JSON.stringify({
    metadata: { name: `budget-${i}`, namespace: `team-${i % NAMESPACES}`, generation: 1 },
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
    status: {
      observedGeneration: 1,
      disruptionsAllowed: allowed,
      currentHealthy: 1 + allowed,
      desiredHealthy: 1,
      expectedPods: 1 + allowed,
    },
  });
}

function formatCrd(i: number): string {
  const properties = Object.fromEntries(
    Array.from({ length: FIELDS_OF_CRD }, (_, k) => [
      `field${k}`,
      { type: "string", description: `What field ${k} is for. `.repeat(6) },
    ]),
  );
  const group = `group-${i % 100}.example.com`;
  const plural = `things${i}`;
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } };
  return JSON.stringify({
    apiVersion: CRDS.apiVersion,
    kind: CRDS.kind,
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: `Thing${i}`, listKind: `Thing${i}List`, plural, singular: `thing${i}` },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
    status: { storedVersions: ["v1"] },
  });
}
