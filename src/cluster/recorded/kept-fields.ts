import { type Json, type JsonObject, findOwn, isList, isObject, textAt } from "../../model/json.ts";
import { formatFullName } from "../../model/object.ts";
import { selectEmbedded } from "./embedded-text.ts";
import { type MemberPath, type NeededField, isAnyStep, isWithin } from "../../model/needed-fields.ts";
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
 * The fields of Kubernetes' own kinds and of PackageManifests that checks in TypeScript read, beside apiVersion, kind and metadata, and
 * those that earlier versions kept, whose recordings don't say so. Custom resources are kept with all their fields, since crd-skew
 * validates them whole.
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
  "packages.operators.coreos.com/PackageManifest": [
    "status.catalogSource",
    "status.defaultChannel",
    "status.channels.name",
    "status.channels.currentCSVDesc.version",
    "status.channels.currentCSVDesc.annotations",
  ],
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

/** Selects the fields of an object that checks read, if its kind is one of Kubernetes' own. `needed`: those that reads declare. */
export function selectKeptFields(object: JsonObject, needed: readonly NeededField[] = []): JsonObject {
  if (isConfigMap(object)) return redactData(object, needed);
  const paths = listKeptPaths(object, needed, false);
  return paths === undefined ? object : selectFields(object, paths);
}

/** Where a recording keeps what such an object has, or all of a list such as it; undefined: everywhere. */
export function listKeptPaths(
  object: JsonObject,
  needed: readonly NeededField[],
  isOfList: boolean,
): readonly MemberPath[] | undefined {
  if (isConfigMap(object)) return listDataPaths([...listKeys(needed), ...(isOfList ? [] : listOwnKeys(object))]);
  const kind = textAt(object, "kind") ?? "";
  const group = getGroup(textAt(object, "apiVersion") ?? "");
  const fields = findOwn(KEPT_FIELDS, group === "" ? kind : `${group}/${kind}`);
  if (fields === undefined) return undefined;
  const own = [...IDENTITY, ...fields.map((field) => field.split("."))];
  const others = needed.filter(({ path }) => !own.some((place) => isWithin(path, place)));
  const whole = [...own, ...others.filter(({ isWhole }) => isWhole).map(({ path }) => path)];
  // What is kept below a place shows that something is there.
  const more = others.filter(({ path, isWhole }) => !isWhole && !whole.some((place) => isWithin(place, path)));
  return [...whole, ...more.map(({ path }) => path)];
}

const IDENTITY: readonly MemberPath[] = [["apiVersion"], ["kind"], ["metadata"]];

function isConfigMap({ apiVersion, kind }: JsonObject): boolean {
  return apiVersion === "v1" && kind === "ConfigMap";
}

/** A key whose settings are selected is not kept as it is. */
function listOwnKeys(configMap: JsonObject): readonly string[] {
  const where = formatFullName(configMap);
  return findOwn(KEPT_SETTINGS, where) === undefined ? (findOwn(KEPT_KEYS, where) ?? []) : [];
}

function listDataPaths(keys: readonly string[]): readonly MemberPath[] {
  return [...IDENTITY, ...(keys.includes("*") ? [["data"]] : keys.map((key) => ["data", key]))];
}

/** Keeps every key, because some checks count or name them; those of binary data name the digests of signatures. */
function redactData(configMap: JsonObject, needed: readonly NeededField[]): JsonObject {
  const { data, binaryData, ...others } = configMap;
  const rest = isObject(binaryData) ? { ...others, binaryData: hideValues(binaryData) } : others;
  if (!isObject(data)) return data === undefined ? rest : { ...rest, data };
  const where = formatFullName(configMap);
  const has = (keys: readonly string[], key: string): boolean => keys.includes("*") || keys.includes(key);
  const own = findOwn(KEPT_KEYS, where) ?? [];
  const declared = listKeys(needed);
  const entries = Object.entries(data).map(([key, value]): [string, Json] => {
    if (typeof value !== "string" || has(declared, key)) return [key, value];
    const settings = KEPT_SETTINGS[where];
    if (!has(own, key)) return [key, "REDACTED"];
    return [key, settings === undefined ? value : selectEmbedded(value, settings)];
  });
  return { ...rest, data: Object.fromEntries(entries) };
}

/** The keys of a ConfigMap whose values are read; `*` for all. */
function listKeys(needed: readonly NeededField[]): readonly string[] {
  const inData = needed.filter(({ path: [field = "data"] }) => field === "data");
  return inData.flatMap(({ path: [, key = "*"], isWhole }) => (isWhole ? [isAnyStep(key) ? "*" : key] : []));
}

/** Base64 of "REDACTED". */
const HIDDEN_BINARY = "UkVEQUNURUQ=";

function hideValues(binaryData: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(binaryData).map((key) => [key, HIDDEN_BINARY]));
}

function selectFields(object: JsonObject, paths: readonly MemberPath[]): JsonObject {
  const byField = Map.groupBy(paths, ([field = ""]) => field);
  const entries = Object.entries(object).flatMap(([key, value]): readonly [string, Json][] => {
    const below = byField.get(key)?.map(([, ...rest]) => rest);
    return below === undefined ? [] : [[key, selectValue(value, below)]];
  });
  return Object.fromEntries(entries);
}

function selectValue(value: Json, paths: readonly MemberPath[]): Json {
  if (paths.some(({ length }) => length === 0)) return value;
  if (isList(value)) {
    const below = paths.map((path) => (isAnyStep(path[0]) ? path.slice(1) : path));
    return value.map((item) => selectValue(item, below));
  }
  // A value of an unexpected type has none of the fields, but its type may be what a check reports.
  const isWhole = !isObject(value) || paths.some(([step]) => isAnyStep(step));
  return isWhole ? value : selectFields(value, paths);
}
