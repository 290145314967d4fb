import { createHash } from "node:crypto";
import { NAMESPACE } from "../../lift/objects/preflight-request.ts";
import type { Payload } from "../../lift/objects/payload.ts";
import { formatCanonicalJson, type Json, type JsonObject, textAt } from "../../model/json.ts";
import { RUNNER_NAME } from "../api/api-paths.ts";

/** What an administrator may choose about the runner. */
export type RunnerSettings = {
  /** Our own image. */
  readonly image: string;
  readonly serviceAccount: string;
  readonly priorityClass: string;
  /** Between cycles, such as "5m". */
  readonly interval: string;
  /** The node's folder that the operator and payloads share. */
  readonly hostPath: string;
  /** The node to run on, which is the controller's, since the document is a file of the node; else the operator's. */
  readonly node?: string;
  /** Where it tells how it is: `address` as the runner takes it, and its parts; without a host, on every address of the node. */
  readonly listen: { readonly address: string; readonly host?: string; readonly port: number };
  readonly cpuRequest: string;
  readonly memoryRequest: string;
  readonly memoryLimit: string;
};

export type RunnablePayload = Exclude<Payload, { kind: "refused" }>;

const MANAGED_BY = "app.kubernetes.io/managed-by";
const MANAGER = "preflight-controller";
/** Whose pod it is: a pod of another target or other settings has another one. */
const RUN_LABEL = "preflight-run";
const TARGET_LABEL = "preflight-target";
const IMAGE_ANNOTATION = "preflight-target-image";

const SHARED_PATH = "/etc/cvo/updatepayloads";
const PAYLOAD_PATH = "/target";

/** What a pod is given by default, to be mounted where it is needed only. */
const TOKEN_SOURCES: readonly JsonObject[] = [
  { serviceAccountToken: { expirationSeconds: 3_607, path: "token" } },
  { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
  {
    downwardAPI: {
      items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
    },
  },
];

/** The Deployment that runs a target's checks, as it should be. */
export function buildRunnerDeployment(payload: RunnablePayload, settings: RunnerSettings): JsonObject {
  const spec = buildPodSpec(payload.image, settings);
  const labels = { app: RUNNER_NAME, ...buildTargetLabel(payload) };
  const run = createHash("sha256").update(formatCanonicalJson(spec)).digest("hex").slice(0, 16);
  const annotations = {
    "openshift.io/required-scc": "privileged",
    "target.workload.openshift.io/management": '{"effect": "PreferredDuringScheduling"}',
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: RUNNER_NAME,
      namespace: NAMESPACE,
      labels: { ...labels, [MANAGED_BY]: MANAGER },
      annotations: { [IMAGE_ANNOTATION]: payload.image },
    },
    spec: {
      replicas: 1,
      // There is one writer of the document.
      strategy: { type: "Recreate" },
      selector: { matchLabels: { app: RUNNER_NAME } },
      template: { metadata: { labels: { ...labels, [RUN_LABEL]: run }, annotations }, spec },
    },
  };
}

/** Somebody else's of the same name, such as one made by hand, is left alone. */
export function isOurDeployment(deployment: JsonObject): boolean {
  return textAt(deployment, "metadata", "labels", MANAGED_BY) === MANAGER;
}

export function hasTargetImage(deployment: JsonObject, image: string): boolean {
  return textAt(deployment, "metadata", "annotations", IMAGE_ANNOTATION) === image;
}

/** Of a pod, or of a Deployment's template. */
export function runLabelOf(of: Json | undefined): string | undefined {
  return textAt(of, "metadata", "labels", RUN_LABEL);
}

/** A version with build metadata can't be a label's value. */
function buildTargetLabel(payload: RunnablePayload): JsonObject {
  const isLabel = payload.kind === "offered" && /^[A-Za-z0-9._-]{1,63}$/.test(payload.version);
  return isLabel ? { [TARGET_LABEL]: payload.version } : {};
}

function buildPodSpec(target: string, settings: RunnerSettings): JsonObject {
  return {
    serviceAccountName: settings.serviceAccount,
    priorityClassName: settings.priorityClass,
    // The namespace's network policies deny all traffic of pods on the pod network, to the API server too.
    hostNetwork: true,
    dnsPolicy: "Default",
    nodeSelector: { "kubernetes.io/os": "linux", "node-role.kubernetes.io/master": "" },
    tolerations: [{ key: "node-role.kubernetes.io/master", operator: "Exists", effect: "NoSchedule" }],
    affinity: buildAffinity(settings.node),
    // The target's image is run to copy files only, and may be one that nobody vouches for: the token is the runner's alone.
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 30,
    securityContext: { seccompProfile: { type: "RuntimeDefault" } },
    initContainers: [buildInitContainer(target)],
    containers: [buildRunnerContainer(target, settings)],
    volumes: [
      { name: "target", emptyDir: { sizeLimit: "256Mi" } },
      { name: "updatepayloads", hostPath: { path: settings.hostPath, type: "DirectoryOrCreate" } },
      { name: "account", projected: { sources: TOKEN_SOURCES } },
    ],
  };
}

function buildAffinity(node: string | undefined): JsonObject {
  if (node !== undefined) {
    const named = { matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] };
    return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [named] } } };
  }
  const labelSelector = { matchLabels: { "k8s-app": "cluster-version-operator" } };
  const beside = { topologyKey: "kubernetes.io/hostname", labelSelector };
  return { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [beside] } };
}

const ROOT_WITHOUT_RIGHTS = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsUser: 0,
  capabilities: { drop: ["ALL"] },
} as const;

/** A release image holds no Node, but what the target would apply. */
function buildInitContainer(image: string): JsonObject {
  return {
    name: "target",
    image,
    command: ["cp", "-rf", "/manifests", "/release-manifests", `${PAYLOAD_PATH}/`],
    resources: { requests: { cpu: "10m", memory: "32Mi" }, limits: { memory: "128Mi" } },
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: ROOT_WITHOUT_RIGHTS,
    volumeMounts: [{ name: "target", mountPath: PAYLOAD_PATH }],
  };
}

function buildRunnerContainer(target: string, settings: RunnerSettings): JsonObject {
  const { cpuRequest, memoryRequest, memoryLimit } = settings;
  return {
    name: "preflight",
    image: settings.image,
    args: ["preflight", "--format=preflight-v1-json"],
    env: [
      { name: "PREFLIGHT_TARGET", value: PAYLOAD_PATH },
      { name: "RELEASE_IMAGE", value: target },
      { name: "PREFLIGHT_INTERVAL", value: settings.interval },
      { name: "PREFLIGHT_LISTEN", value: settings.listen.address },
      // As the operator does: the node's own API server, so that nothing of the service network is needed.
      { name: "KUBERNETES_SERVICE_HOST", value: "127.0.0.1" },
      { name: "KUBERNETES_SERVICE_PORT", value: "6443" },
    ],
    resources: {
      requests: { cpu: cpuRequest, memory: memoryRequest, "ephemeral-storage": "2Mi" },
      limits: { memory: memoryLimit },
    },
    ...buildPorts(settings.listen),
    livenessProbe: buildProbe("/healthz", settings.listen),
    readinessProbe: buildProbe("/readyz", settings.listen),
    terminationMessagePolicy: "FallbackToLogsOnError",
    // The node's folder has no SELinux type that containers may write to.
    securityContext: { ...ROOT_WITHOUT_RIGHTS, seLinuxOptions: { type: "spc_t" } },
    volumeMounts: [
      { name: "target", mountPath: PAYLOAD_PATH, readOnly: true },
      { name: "updatepayloads", mountPath: SHARED_PATH },
      { name: "account", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true },
    ],
  };
}

/** Said of what isn't on loopback, so that the scheduler knows that the node's port is taken. */
function buildPorts({ host, port }: RunnerSettings["listen"]): JsonObject {
  if (host !== undefined && isLoopback(host)) return {};
  return { ports: [{ name: "metrics", containerPort: port, protocol: "TCP" }] };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** On the host's network, where the kubelet asks from the node itself. */
function buildProbe(path: string, { host, port }: RunnerSettings["listen"]): JsonObject {
  const isWildcard = host === undefined || host === "0.0.0.0" || host === "::";
  return { httpGet: { host: isWildcard ? "127.0.0.1" : host, port, path }, periodSeconds: 30, timeoutSeconds: 5 };
}
