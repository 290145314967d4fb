import { CRDS, type MockCluster, type MockList, startMockCluster } from "./mock-cluster.ts";

/** How many objects of each kind a cluster has. */
export type ClusterSizes = {
  readonly nodes: number;
  readonly pods: number;
  readonly namespaces: number;
  readonly budgets: number;
  readonly crds: number;
  /** Each is a finding, since nothing runs behind it. */
  readonly webhooks: number;
};

/** As large as Kubernetes supports. */
const LARGE: ClusterSizes = {
  nodes: 5_000,
  pods: 150_000,
  namespaces: 1_000,
  budgets: 2_000,
  crds: 1_000,
  webhooks: 0,
};
/** A node names the images that it has, which is most of its bytes. */
const IMAGES_OF_NODE = 50;
const FIELDS_OF_CRD = 100;

/** `minor`: of its Kubernetes. */
export async function startLargeCluster(sizes: ClusterSizes = LARGE, minor?: number): Promise<MockCluster> {
  const pods = (i: number): string => formatPod(i, sizes);
  const budgets = (i: number): string => formatBudget(i, sizes);
  const lists = [
    build("v1", "Node", "/api/v1/nodes", sizes.nodes, formatNode),
    build("v1", "Pod", "/api/v1/pods", sizes.pods, pods),
    build("v1", "Namespace", "/api/v1/namespaces", sizes.namespaces, formatNamespace),
    build("policy/v1", "PodDisruptionBudget", "/apis/policy/v1/poddisruptionbudgets", sizes.budgets, budgets),
    build(ADMISSION, "ValidatingWebhookConfiguration", WEBHOOKS, sizes.webhooks, formatWebhook),
    build("apps/v1", "StatefulSet", "/apis/apps/v1/statefulsets", 0, () => "{}"),
    build("v1", "Service", "/api/v1/services", 0, () => "{}"),
    build("discovery.k8s.io/v1", "EndpointSlice", "/apis/discovery.k8s.io/v1/endpointslices", 0, () => "{}"),
    { ...CRDS, count: sizes.crds, format: formatCrd },
  ];
  return startMockCluster(lists, minor);
}

const ADMISSION = "admissionregistration.k8s.io/v1";
const WEBHOOKS = `/apis/${ADMISSION}/validatingwebhookconfigurations`;

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

function formatPod(i: number, { nodes, namespaces, budgets }: ClusterSizes): string {
  const containers = ["app", "sidecar"].map((name) => ({
    name,
    image: `registry.example.com/${name}:1`,
    env: Array.from({ length: 20 }, (_, k) => ({ name: `SETTING_${k}`, value: `value-${k}-${i}` })),
    volumeMounts: [{ name: "token", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true }],
  }));
  return JSON.stringify({
    metadata: { name: `pod-${i}`, namespace: `team-${i % namespaces}`, labels: { app: `app-${i % budgets}` } },
    spec: { nodeName: `node-${i % nodes}`, containers, volumes: [{ name: "token", projected: { sources: [] } }] },
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }], podIP: "10.0.0.1" },
  });
}

/** One in a hundred allows no disruption, so the pods are read too. */
function formatBudget(i: number, { namespaces }: ClusterSizes): string {
  const allowed = i % 100 === 0 ? 0 : 1;
  const labels = { app: `app-${i}` };
  return JSON.stringify({
    metadata: { name: `budget-${i}`, namespace: `team-${i % namespaces}`, generation: 1 },
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

function formatWebhook(i: number): string {
  const rules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }];
  const clientConfig = { service: { namespace: "team-1", name: `guard-${i}` } };
  const webhook = {
    name: `guard-${i}.example.com`,
    clientConfig,
    rules,
    failurePolicy: "Fail",
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
  };
  return JSON.stringify({ metadata: { name: `guard-${i}` }, webhooks: [webhook] });
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
