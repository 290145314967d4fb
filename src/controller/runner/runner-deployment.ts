import { createHash } from "node:crypto";
import {
  type RunnerOptions,
  NAMESPACE,
  parseNodeSelector,
  parseTolerations,
  allowsUnverified,
} from "../../lift/objects/preflight-request.ts";
import type { RequestedPayload } from "../../lift/objects/payload.ts";
import { type JsonObject, type Json, formatCanonicalJson, textAt } from "../../model/json.ts";
import {
  CHECKS_CONFIG_MAP,
  CHECKS_FOLDER,
  KNOWN_BUGS_CONFIG_MAP,
  KNOWN_BUGS_FOLDER,
} from "../../model/check-origin.ts";
import { RUNNER_NAME } from "../api/api-paths.ts";
import { type RunnerListen, buildPorts, buildProbe, buildTls } from "./runner-listen.ts";

/** The runner's settings, chosen by an administrator. */
export type RunnerSettings = {
  /** Our own image. */
  readonly image: string;
  readonly serviceAccount: string;
  readonly priorityClass: string;
  /** Interval between cycles, such as "5m". */
  readonly interval: string;
  /** The node's directory for payloads, shared with the operator. */
  readonly hostPath: string;
  /** The node to run on: the controller's, since the document is a file on the node. Without it, the operator's node. */
  readonly node?: string;
  readonly listen: RunnerListen;
  /** Whether the runner's metrics show the risks' messages. */
  readonly showsMessages?: boolean;
  /** Whether ClusterVersion's annotation is a request too. */
  readonly servesAnnotation?: boolean;
  /** The runner's --promql; absent if it may not ask the cluster's monitoring. */
  readonly promql?: string;
  /** The runner's --checks-from; absent if it is the default. */
  readonly checksFrom?: readonly string[];
  readonly cpuRequest: string;
  readonly memoryRequest: string;
  readonly memoryLimit: string;
};

type RunnablePayload = Exclude<RequestedPayload, { kind: "refused" }>;

const SHARED_PATH = "/etc/cvo/updatepayloads";
const PAYLOAD_PATH = "/target";

/** The default service account volume, mounted only in the container that needs it. */
const TOKEN_SOURCES: readonly JsonObject[] = [
  { serviceAccountToken: { expirationSeconds: 3_607, path: "token" } },
  { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
  {
    downwardAPI: {
      items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
    },
  },
];

/** The desired Deployment that runs a target's checks. */
export function buildRunnerDeployment(
  payload: RunnablePayload,
  settings: RunnerSettings,
  options: RunnerOptions = {},
): JsonObject {
  const spec = buildPodSpec(payload.image, settings, options);
  const labels = buildLabels(payload);
  const own = buildOwnMetadata(payload, options);
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
      labels: { ...labels, ...own.labels },
      annotations: own.annotations,
    },
    spec: {
      replicas: 1,
      // The document has one writer.
      strategy: { type: "Recreate" },
      selector: { matchLabels: { app: RUNNER_NAME } },
      template: { metadata: { labels: { ...labels, [RUN_LABEL]: run }, annotations }, spec },
    },
  };
}

/** Nodes have the label control-plane in every supported release; their taint may still be named master. */
const CONTROL_PLANE_SELECTOR = { "kubernetes.io/os": "linux", "node-role.kubernetes.io/control-plane": "" };
const CONTROL_PLANE_TOLERATIONS: readonly JsonObject[] = ["control-plane", "master"].map((role) => ({
  key: `node-role.kubernetes.io/${role}`,
  operator: "Exists",
  effect: "NoSchedule",
}));

function buildPodSpec(target: string, settings: RunnerSettings, options: RunnerOptions): JsonObject {
  const { "node-selector": selector, tolerations } = options;
  return {
    serviceAccountName: settings.serviceAccount,
    priorityClassName: settings.priorityClass,
    // The namespace's network policies deny all traffic on the pod network, even to the API server.
    hostNetwork: true,
    dnsPolicy: "Default",
    nodeSelector: selector === undefined ? CONTROL_PLANE_SELECTOR : parseNodeSelector(selector),
    tolerations: [...CONTROL_PLANE_TOLERATIONS, ...(tolerations === undefined ? [] : parseTolerations(tolerations))],
    affinity: buildAffinity(settings.node),
    // The target's image may be unverified and only copies files, so it gets no token.
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 30,
    securityContext: { seccompProfile: { type: "RuntimeDefault" } },
    initContainers: [buildInitContainer(target)],
    containers: [buildRunnerContainer(target, settings, options)],
    volumes: [
      { name: "target", emptyDir: { sizeLimit: "256Mi" } },
      { name: "updatepayloads", hostPath: { path: settings.hostPath, type: "DirectoryOrCreate" } },
      { name: "account", projected: { sources: TOKEN_SOURCES } },
      // Read by the kubelet, so that the runner needs no right to read it, and edits count without a restart.
      { name: "checks", configMap: { name: CHECKS_CONFIG_MAP, optional: true } },
      { name: "known-bugs", configMap: { name: KNOWN_BUGS_CONFIG_MAP, optional: true } },
      ...buildTls(settings.listen).volumes,
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

/** A release image has no Node.js; its manifests are copied for the runner. */
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

const OPTION_VARIABLES = [
  ["only", "PREFLIGHT_ONLY"],
  ["skip", "PREFLIGHT_SKIP"],
  ["lifted", "PREFLIGHT_LIFTED"],
  ["check-timeout", "PREFLIGHT_CHECK_TIMEOUT"],
  ["cycle-timeout", "PREFLIGHT_CYCLE_TIMEOUT"],
] as const;

function buildRunnerContainer(target: string, settings: RunnerSettings, options: RunnerOptions): JsonObject {
  const { cpuRequest, memoryRequest, memoryLimit } = settings;
  const tls = buildTls(settings.listen);
  return {
    name: "preflight",
    image: settings.image,
    args: ["preflight", "--format=preflight-v1-json"],
    env: [
      { name: "PREFLIGHT_TARGET", value: PAYLOAD_PATH },
      { name: "RELEASE_IMAGE", value: target },
      { name: "PREFLIGHT_INTERVAL", value: settings.interval },
      { name: "PREFLIGHT_LISTEN", value: settings.listen.address },
      { name: "PREFLIGHT_END_WITH_REQUEST", value: "true" },
      ...(settings.servesAnnotation ? [{ name: "PREFLIGHT_USE_ANNOTATION", value: "true" }] : []),
      { name: "PREFLIGHT_CHECKS", value: CHECKS_FOLDER },
      { name: "PREFLIGHT_KNOWN_BUGS", value: KNOWN_BUGS_FOLDER },
      ...tls.env,
      ...(settings.showsMessages ? [{ name: "PREFLIGHT_RISK_MESSAGES", value: "true" }] : []),
      ...(settings.promql === undefined ? [] : [{ name: "PREFLIGHT_PROMQL", value: settings.promql }]),
      ...(settings.checksFrom === undefined
        ? []
        : [{ name: "PREFLIGHT_CHECKS_FROM", value: settings.checksFrom.join() }]),
      ...OPTION_VARIABLES.flatMap(([key, name]) => {
        const value = options[key];
        return value === undefined ? [] : [{ name, value }];
      }),
      // Like the operator, use the node's own API server, which works without the service network.
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
    // Containers can't write to the SELinux type of the node's directory.
    securityContext: { ...ROOT_WITHOUT_RIGHTS, seLinuxOptions: { type: "spc_t" } },
    volumeMounts: [
      { name: "target", mountPath: PAYLOAD_PATH, readOnly: true },
      { name: "updatepayloads", mountPath: SHARED_PATH },
      { name: "account", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true },
      { name: "checks", mountPath: CHECKS_FOLDER, readOnly: true },
      { name: "known-bugs", mountPath: KNOWN_BUGS_FOLDER, readOnly: true },
      ...tls.volumeMounts,
    ],
  };
}

const MANAGED_BY = "app.kubernetes.io/managed-by";
const MANAGER = "preflight-controller";
/** Identifies a pod's target and settings. */
const RUN_LABEL = "preflight-run";
const TARGET_LABEL = "preflight-target";
const IMAGE_ANNOTATION = "preflight-target-image";
/** Whether the image's signature was verified before the Deployment was created. */
const SIGNATURE_ANNOTATION = "preflight-signature";
const VERIFIED = "verified";

/** The labels of the Deployment and its pods. */
function buildLabels(payload: RunnablePayload): JsonObject {
  return { app: RUNNER_NAME, ...buildTargetLabel(payload) };
}

/** A version with build metadata can't be a label's value. */
function buildTargetLabel(payload: RunnablePayload): JsonObject {
  const { version } = payload;
  return version !== undefined && /^[A-Za-z0-9._-]{1,63}$/.test(version) ? { [TARGET_LABEL]: version } : {};
}

/** What the Deployment has of its own. */
function buildOwnMetadata(
  { image }: RunnablePayload,
  options: RunnerOptions,
): Record<"labels" | "annotations", JsonObject> {
  const signature = allowsUnverified(options) ? "unverified" : VERIFIED;
  return {
    labels: { [MANAGED_BY]: MANAGER },
    annotations: { [IMAGE_ANNOTATION]: image, [SIGNATURE_ANNOTATION]: signature },
  };
}

/** A Deployment of the same name that somebody else created is left alone. */
export function isOurDeployment(deployment: JsonObject): boolean {
  return textAt(deployment, "metadata", "labels", MANAGED_BY) === MANAGER;
}

export function hasTargetImage(deployment: JsonObject, image: string): boolean {
  return textAt(deployment, "metadata", "annotations", IMAGE_ANNOTATION) === image;
}

/** The image of a Deployment of the controller's for this version. */
export function findDeployedImage(deployment: JsonObject, version: string): string | undefined {
  const isOfVersion = textAt(deployment, "metadata", "labels", TARGET_LABEL) === version;
  return isOurDeployment(deployment) && isOfVersion
    ? textAt(deployment, "metadata", "annotations", IMAGE_ANNOTATION)
    : undefined;
}

/** Whether the Deployment was created for this image after its signature had been verified. */
export function isVerifiedDeployment(deployment: JsonObject, image: string): boolean {
  const signature = textAt(deployment, "metadata", "annotations", SIGNATURE_ANNOTATION);
  return isOurDeployment(deployment) && hasTargetImage(deployment, image) && signature === VERIFIED;
}

/** Of a pod, or of a Deployment's template. */
export function runLabelOf(of: Json | undefined): string | undefined {
  return textAt(of, "metadata", "labels", RUN_LABEL);
}
