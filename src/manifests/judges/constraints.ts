import type { ManifestPath } from "../../model/manifest.ts";

/**
 * What the API server's own validation asks of the fields of a type, beside their types. Source: pkg/apis in k8s.io/kubernetes; each is
 * tried against an API server. What changed between the minors of supported releases is left out.
 */

/** The least and the most that a number may be. */
export type NumberRange = readonly [least: number, most: number];

const PORT: NumberRange = [1, 65_535];
const NOT_NEGATIVE: NumberRange = [0, Infinity];
const POSITIVE: NumberRange = [1, Infinity];
const MODE: NumberRange = [0, 0o777];
const ID: NumberRange = [0, 2 ** 31 - 1];
const WEIGHT: NumberRange = [1, 100];

/** By "TYPE.FIELD". */
const RANGES: ReadonlyMap<string, NumberRange> = new Map([
  ...list(PORT, "AdmissionregistrationV1ServiceReference.port ApiregistrationV1ServiceReference.port"),
  ...list(PORT, "V1ContainerPort.containerPort V1GRPCAction.port V1HTTPGetAction.port V1ServicePort.port"),
  ...list(PORT, "V1NetworkPolicyPort.port V1TCPSocketAction.port"),
  ...list<NumberRange>([0, 65_535], "V1ContainerPort.hostPort V1ServiceBackendPort.number V1ServicePort.targetPort"),
  ...list(NOT_NEGATIVE, "V1CronJobSpec.failedJobsHistoryLimit V1CronJobSpec.startingDeadlineSeconds"),
  ...list(NOT_NEGATIVE, "V1CronJobSpec.successfulJobsHistoryLimit V1DaemonSetSpec.minReadySeconds"),
  ...list(NOT_NEGATIVE, "V1DaemonSetSpec.revisionHistoryLimit V1DeploymentSpec.minReadySeconds"),
  ...list(NOT_NEGATIVE, "V1DeploymentSpec.replicas V1DeploymentSpec.revisionHistoryLimit"),
  ...list(NOT_NEGATIVE, "V1JobSpec.activeDeadlineSeconds V1JobSpec.backoffLimit V1JobSpec.completions"),
  ...list(NOT_NEGATIVE, "V1JobSpec.parallelism V1JobSpec.ttlSecondsAfterFinished V1Probe.failureThreshold"),
  ...list(NOT_NEGATIVE, "V1Probe.initialDelaySeconds V1Probe.periodSeconds V1Probe.successThreshold"),
  ...list(NOT_NEGATIVE, "V1Probe.timeoutSeconds V1ReplicaSetSpec.minReadySeconds V1ReplicaSetSpec.replicas"),
  ...list(NOT_NEGATIVE, "V1ReplicationControllerSpec.replicas V1StatefulSetSpec.minReadySeconds"),
  ...list(NOT_NEGATIVE, "V1StatefulSetSpec.replicas"),
  ...list(POSITIVE, "V1HorizontalPodAutoscalerSpec.maxReplicas V1TopologySpreadConstraint.maxSkew"),
  ...list(POSITIVE, "V1TopologySpreadConstraint.minDomains V2HorizontalPodAutoscalerSpec.maxReplicas"),
  ...list(MODE, "V1ConfigMapVolumeSource.defaultMode V1DownwardAPIVolumeFile.mode"),
  ...list(MODE, "V1DownwardAPIVolumeSource.defaultMode V1KeyToPath.mode V1ProjectedVolumeSource.defaultMode"),
  ...list(MODE, "V1SecretVolumeSource.defaultMode"),
  ...list(ID, "V1PodSecurityContext.fsGroup V1PodSecurityContext.runAsGroup V1PodSecurityContext.runAsUser"),
  ...list(ID, "V1PodSecurityContext.supplementalGroups V1SecurityContext.runAsGroup V1SecurityContext.runAsUser"),
  ...list(WEIGHT, "V1PreferredSchedulingTerm.weight V1WeightedPodAffinityTerm.weight"),
  ...list<NumberRange>([600, Infinity], "StorageV1TokenRequest.expirationSeconds"),
  ...list<NumberRange>([600, 2 ** 32], "V1ServiceAccountTokenProjection.expirationSeconds"),
  ...list<NumberRange>([1, 86_400], "V1ClientIPConfig.timeoutSeconds"),
  ...list<NumberRange>([1, 30], "V1MutatingWebhook.timeoutSeconds V1ValidatingWebhook.timeoutSeconds"),
]);

function list<T>(value: T, keys: string): readonly (readonly [string, T])[] {
  return keys.split(" ").map((key) => [key, value]);
}

export function findRange(type: string, field: string): NumberRange | undefined {
  return RANGES.get(`${type}.${field}`);
}

/** A syntax of names and other texts; `wanted` ends the sentence "the API server accepts". */
export type NameFormat = { readonly pattern: RegExp; readonly most: number; readonly wanted: string };

const LABEL: NameFormat = {
  pattern: /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/,
  most: 63,
  wanted: "lowercase letters, digits and hyphens",
};
const SUBDOMAIN: NameFormat = {
  pattern: /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/,
  most: 253,
  wanted: "lowercase letters, digits, hyphens and dots",
};
export const PORT_NAME: NameFormat = {
  pattern: /^(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*$/,
  most: 15,
  wanted: "lowercase letters, of which there is one, digits and single hyphens",
};
export const LABEL_VALUE: NameFormat = {
  pattern: /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/,
  most: 63,
  wanted: "letters, digits, hyphens, underscores and dots",
};
/** "app", "example.com/app": the part before the slash is a subdomain. */
export const LABEL_KEY: NameFormat = {
  pattern: new RegExp(
    `^(?:${SUBDOMAIN.pattern.source.slice(1, -1)}/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`,
  ),
  most: 317,
  wanted: "letters, digits, hyphens, underscores and dots, after a domain and a slash",
};

const PERCENT: NameFormat = { pattern: /^\d+%$/, most: 20, wanted: "a number without quotes, or a percentage" };
const NOT_MORE_THAN_ALL: NameFormat = {
  pattern: /^0*(?:\d{1,2}|100)%$/,
  most: 20,
  wanted: "a number without quotes, or a percentage up to 100%",
};
/** No more is refused than is no address in any form that was ever taken. */
const CIDR: NameFormat = {
  pattern: /^(?:\d+(?:\.\d+){3}\/\d{1,2}|[\da-fA-F]*:[\da-fA-F:.]*\/\d{1,3})$/,
  most: 60,
  wanted: "an address, a slash and the number of its bits, such as 10.0.0.0/8",
};
const IP: NameFormat = {
  pattern: /^(?:\d+(?:\.\d+){3}|[\da-fA-F]*:[\da-fA-F:.]*)$/,
  most: 60,
  wanted: "an IP address",
};
const ABSOLUTE: NameFormat = { pattern: /^\//, most: Infinity, wanted: "a path that begins with /" };

/** A field of a schedule: values or ranges with a step, separated by commas. */
function buildScheduleField(value: string): string {
  const part = `(?:[*?]|(?:${value})(?:-(?:${value}))?)(?:/0*[1-9]\\d*)?`;
  return `${part}(?:,${part})*`;
}

const MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const DAYS = "sun|mon|tue|wed|thu|fri|sat";
const SCHEDULE_FIELDS = [
  "0*[0-5]?\\d",
  "0*(?:1?\\d|2[0-3])",
  "0*(?:[1-9]|[12]\\d|3[01])",
  `0*(?:[1-9]|1[0-2])|${MONTHS}`,
  `0*[0-6]|${DAYS}`,
].map(buildScheduleField);
const SCHEDULE: NameFormat = {
  pattern: new RegExp(
    `^(?:(?:CRON_)?TZ=.*|@every .*|@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)|\\s*${SCHEDULE_FIELDS.join("\\s+")}\\s*)$`,
    "i",
  ),
  most: Infinity,
  wanted: "a schedule of minute (0-59), hour (0-23), day (1-31), month (1-12) and day of the week (0-6)",
};

const FORMATS: ReadonlyMap<string, NameFormat> = new Map([
  ...list(LABEL, "V1Container.name V1Volume.name V1ServicePort.name V1PodSpec.hostname V1PodSpec.subdomain"),
  ...list(
    SUBDOMAIN,
    "V1PodSpec.serviceAccountName V1PodSpec.priorityClassName V1PersistentVolumeClaimSpec.storageClassName",
  ),
  ...list(PORT_NAME, "V1ContainerPort.name V1HTTPGetAction.port V1NetworkPolicyPort.port V1ServiceBackendPort.name"),
  ...list(PORT_NAME, "V1ServicePort.targetPort V1TCPSocketAction.port"),
  ...list(NOT_MORE_THAN_ALL, "V1PodDisruptionBudgetSpec.maxUnavailable V1PodDisruptionBudgetSpec.minAvailable"),
  ...list(NOT_MORE_THAN_ALL, "V1RollingUpdateDaemonSet.maxSurge V1RollingUpdateDaemonSet.maxUnavailable"),
  ...list(NOT_MORE_THAN_ALL, "V1RollingUpdateDeployment.maxUnavailable"),
  ...list(PERCENT, "V1RollingUpdateDeployment.maxSurge"),
  ...list(CIDR, "V1IPBlock.cidr V1IPBlock.except"),
  ...list(IP, "V1HostAlias.ip V1PodDNSConfig.nameservers"),
  ...list(ABSOLUTE, "V1HTTPIngressPath.path"),
  ...list(SCHEDULE, "V1CronJobSpec.schedule"),
]);

export function findFormat(type: string, field: string): NameFormat | undefined {
  return FORMATS.get(`${type}.${field}`);
}

/** The names of objects: of those of access control, and of budgets, others are allowed. */
const LABEL_NAMES = "V1Namespace V1Service".split(" ");
const SUBDOMAIN_NAMES =
  "V1CSINode V1ConfigMap V1CronJob V1DaemonSet V1Deployment V1DeviceClass V1EndpointSlice V1Endpoints V1FlowSchema V1HorizontalPodAutoscaler V1Ingress V1IngressClass V1Job V1Lease V1LimitRange V1MutatingWebhookConfiguration V1NetworkPolicy V1PersistentVolume V1PersistentVolumeClaim V1Pod V1PriorityClass V1PriorityLevelConfiguration V1ReplicaSet V1ReplicationController V1ResourceQuota V1RuntimeClass V1Secret V1ServiceAccount V1StatefulSet V1StorageClass V1ValidatingAdmissionPolicy V1ValidatingAdmissionPolicyBinding V1ValidatingWebhookConfiguration V1VolumeAttributesClass V2HorizontalPodAutoscaler".split(
    " ",
  );

export function findNameFormat(type: string): NameFormat | undefined {
  if (LABEL_NAMES.includes(type)) return LABEL;
  return SUBDOMAIN_NAMES.includes(type) ? SUBDOMAIN : undefined;
}

/** Fields of a type of which an object has one; `least`: whether it needs one. */
export type FieldChoice = { readonly fields: readonly string[]; readonly least: 0 | 1 };

const CHOICES: Readonly<Record<string, readonly [least: 0 | 1, fields: string]>> = {
  AdmissionregistrationV1WebhookClientConfig: [1, "service url"],
  V1EnvFromSource: [1, "configMapRef secretRef"],
  V1EnvVarSource: [1, "configMapKeyRef fieldRef fileKeyRef resourceFieldRef secretKeyRef"],
  V1IngressBackend: [1, "resource service"],
  V1LifecycleHandler: [1, "exec httpGet sleep tcpSocket"],
  V1PodDisruptionBudgetSpec: [0, "maxUnavailable minAvailable"],
  V1Probe: [1, "exec grpc httpGet tcpSocket"],
  V1ServiceBackendPort: [1, "name number"],
};

export function findChoice(type: string): FieldChoice | undefined {
  const choice = Object.hasOwn(CHOICES, type) ? CHOICES[type] : undefined;
  return choice && { least: choice[0], fields: choice[1].split(" ") };
}

/** Lists whose items differ in a field. */
const UNIQUE: ReadonlyMap<string, string> = new Map([
  ...list("name", "V1PodSpec.containers V1PodSpec.initContainers V1PodSpec.volumes V1ServiceSpec.ports"),
  ...list("mountPath", "V1Container.volumeMounts"),
]);

export function findUniqueField(type: string, field: string): string | undefined {
  return UNIQUE.get(`${type}.${field}`);
}

/** Whether a field holds labels, keys and values, that are validated: those of a Job's or a claim's template are not. */
export function hasLabels(type: string, field: string, path: ManifestPath): boolean {
  if (type === "V1ObjectMeta" && field === "labels") return path.length === 2 || path.at(-3) === "template";
  return LABELS.has(`${type}.${field}`);
}

const LABELS = new Set(["V1PodSpec.nodeSelector", "V1ServiceSpec.selector"]);
