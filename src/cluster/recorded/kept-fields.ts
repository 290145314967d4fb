import { type Json, type JsonObject, findOwn, isList, isObject, textAt } from "../../model/json.ts";
import { selectEmbedded } from "./embedded-text.ts";
import { getGroup } from "../../model/resource.ts";

const POD_FIELDS = [
  "volumes.name",
  "volumes.persistentVolumeClaim",
  "securityContext",
  "shareProcessNamespace",
  "nodeName",
  "tolerations.key",
  "hostNetwork",
  "priorityClassName",
  "runtimeClassName",
  "serviceAccountName",
  ...["initContainers", "containers"].flatMap((list) =>
    ["name", "image", "env", "securityContext", "volumeMounts", "resources"].map((field) => `${list}.${field}`),
  ),
];
const TEMPLATE_FIELDS = ["metadata", ...POD_FIELDS.map((field) => `spec.${field}`)];
const WORKLOAD_FIELDS = [
  "spec.replicas",
  "spec.selector",
  "status",
  ...TEMPLATE_FIELDS.map((field) => `spec.template.${field}`),
];
const WEBHOOK_FIELDS = ["webhooks"];

/**
 * The fields of Kubernetes' own kinds that checks read, beside apiVersion, kind and metadata. Paths pass through lists, and a path keeps
 * everything below it. Custom resources are kept with all their fields, since crd-skew validates them whole.
 */
const KEPT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": WEBHOOK_FIELDS,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": WEBHOOK_FIELDS,
  "apiregistration.k8s.io/APIService": ["spec", "status"],
  "apps/DaemonSet": WORKLOAD_FIELDS,
  "apps/Deployment": WORKLOAD_FIELDS,
  "apps/StatefulSet": WORKLOAD_FIELDS,
  "batch/CronJob": [
    "spec.schedule",
    "spec.timeZone",
    "spec.suspend",
    ...TEMPLATE_FIELDS.map((field) => `spec.jobTemplate.spec.template.${field}`),
  ],
  "certificates.k8s.io/CertificateSigningRequest": [
    "spec.request",
    "spec.signerName",
    "spec.username",
    "status.conditions",
  ],
  "discovery.k8s.io/EndpointSlice": ["addressType", "endpoints", "ports"],
  "networking.k8s.io/NetworkPolicy": ["spec"],
  "policy/PodDisruptionBudget": ["spec", "status"],
  "storage.k8s.io/CSIDriver": ["spec"],
  "storage.k8s.io/CSINode": ["spec"],
  "storage.k8s.io/StorageClass": ["provisioner", "volumeBindingMode", "reclaimPolicy"],
  Namespace: ["spec", "status.phase"],
  Node: [
    "spec.taints",
    "spec.unschedulable",
    "spec.podCIDRs",
    "spec.providerID",
    "status.addresses",
    "status.allocatable",
    "status.capacity",
    "status.conditions",
    "status.nodeInfo",
  ],
  PersistentVolume: ["spec", "status.phase"],
  Pod: [...POD_FIELDS.map((field) => `spec.${field}`), "status.phase", "status.conditions"],
  Secret: [],
  Service: ["spec.type", "spec.ports", "spec.selector", "spec.clusterIP", "spec.clusterIPs", "spec.ipFamilies"],
  ServiceAccount: ["secrets.name"],
};

/** The keys that checks read, by namespace and name of the ConfigMap; `*` for all. */
const KEPT_KEYS: Readonly<Record<string, readonly string[]>> = {
  "openshift-cloud-controller-manager/cloud-conf": [],
  "openshift-cloud-credential-operator/cloud-credential-operator-config": ["disabled"],
  "openshift-config-managed/admin-gates": ["*"],
  "openshift-config-managed/release-verification": ["*"],
  "openshift-config/admin-acks": ["*"],
  "openshift-config/cloud-provider-config": ["config"],
  "openshift-config/selinux-conflicts": ["conflictsPresent"],
  "openshift-monitoring/cluster-monitoring-config": ["config.yaml"],
  "openshift-user-workload-monitoring/user-workload-monitoring-config": ["config.yaml"],
};

/** Of configurations that ConfigMaps hold, the keys within them whose values checks read. */
const KEPT_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  "openshift-config/cloud-provider-config": ["vmType"],
  "openshift-monitoring/cluster-monitoring-config": ["apiVersion", "enableUserWorkload"],
  "openshift-user-workload-monitoring/user-workload-monitoring-config": ["apiVersion"],
};

/** Selects the fields of an object that checks read, if its kind is one of Kubernetes' own. */
export function selectKeptFields(object: JsonObject): JsonObject {
  const apiVersion = textAt(object, "apiVersion") ?? "";
  const kind = textAt(object, "kind") ?? "";
  if (apiVersion === "v1" && kind === "ConfigMap") return redactData(object);
  const group = getGroup(apiVersion);
  const fields = findOwn(KEPT_FIELDS, group === "" ? kind : `${group}/${kind}`);
  if (fields === undefined) return object;
  return selectFields(object, [["apiVersion"], ["kind"], ["metadata"], ...fields.map((field) => field.split("."))]);
}

/** Keeps every key, because some checks count or name them; those of binary data name the digests of signatures. */
function redactData(configMap: JsonObject): JsonObject {
  const { data, binaryData, ...others } = configMap;
  const rest = isObject(binaryData) ? { ...others, binaryData: hideValues(binaryData) } : others;
  if (!isObject(data)) return data === undefined ? rest : { ...rest, data };
  const where = `${textAt(configMap, "metadata", "namespace") ?? ""}/${textAt(configMap, "metadata", "name") ?? ""}`;
  const kept = findOwn(KEPT_KEYS, where) ?? [];
  const entries = Object.entries(data).map(([key, value]): [string, Json] => {
    const isKept = typeof value !== "string" || kept.includes("*") || kept.includes(key);
    if (!isKept) return [key, "REDACTED"];
    const settings = KEPT_SETTINGS[where];
    return [key, settings === undefined || typeof value !== "string" ? value : selectEmbedded(value, settings)];
  });
  return { ...rest, data: Object.fromEntries(entries) };
}

/** Base64 of "REDACTED". */
const HIDDEN_BINARY = "UkVEQUNURUQ=";

function hideValues(binaryData: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(binaryData).map((key) => [key, HIDDEN_BINARY]));
}

type Path = readonly string[];

function selectFields(object: JsonObject, paths: readonly Path[]): JsonObject {
  const byField = Map.groupBy(paths, ([field = ""]) => field);
  const entries = Object.entries(object).flatMap(([key, value]): readonly [string, Json][] => {
    const below = byField.get(key);
    return below === undefined ? [] : [[key, selectValue(value, below)]];
  });
  return Object.fromEntries(entries);
}

function selectValue(value: Json, paths: readonly Path[]): Json {
  if (paths.some(({ length }) => length === 1)) return value;
  const below = paths.map(([, ...rest]) => rest);
  if (isList(value)) return value.map((item) => selectItem(item, below));
  return selectItem(value, below);
}

/** A value of an unexpected type has none of the fields, but its type may be what a check reports. */
function selectItem(value: Json, paths: readonly Path[]): Json {
  return isObject(value) ? selectFields(value, paths) : value;
}
