import type { Json, JsonObject } from "../../model/json.ts";
import { at, findOwn, isObject, listAt, numberAt, objectAt, objectsAt, textAt } from "../../model/json.ts";
import type { ManifestEdit, ManifestPath } from "../../model/manifest.ts";

/** What to write in place of a removed version. `edits`: if they leave nothing to decide. */
export type Replacement = { readonly remedy: string; readonly edits?: readonly ManifestEdit[] };

/** Kinds by the version that they leave: every field means the same in the version that replaces it. */
const EQUAL: Readonly<Record<string, string>> = {
  "admissionregistration.k8s.io/v1beta1":
    "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding",
  "apiregistration.k8s.io/v1beta1": "APIService",
  "autoscaling/v2beta2": "HorizontalPodAutoscaler",
  "batch/v1beta1": "CronJob",
  "coordination.k8s.io/v1beta1": "Lease",
  "flowcontrol.apiserver.k8s.io/v1beta1": "FlowSchema",
  "flowcontrol.apiserver.k8s.io/v1beta2": "FlowSchema",
  "flowcontrol.apiserver.k8s.io/v1beta3": "FlowSchema",
  "networking.k8s.io/v1beta1": "IPAddress IngressClass ServiceCIDR",
  "node.k8s.io/v1beta1": "RuntimeClass",
  "rbac.authorization.k8s.io/v1beta1": "ClusterRole ClusterRoleBinding Role RoleBinding",
  "resource.k8s.io/v1beta2": "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice",
  "scheduling.k8s.io/v1beta1": "PriorityClass",
  "storage.k8s.io/v1beta1": "CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass",
};

/** Of other kinds, what changes with the version. Source: Kubernetes' deprecation guide. */
const CHANGES: Readonly<Record<string, string>> = {
  CertificateSigningRequest: "spec.signerName and spec.usages are required there",
  CustomResourceDefinition:
    "spec.versions replaces spec.version, each version has a structural schema in schema.openAPIV3Schema, and its own subresources and additionalPrinterColumns",
  DaemonSet:
    "spec.selector is required there and can't be changed later, and the default of spec.updateStrategy.type is RollingUpdate",
  Deployment:
    "spec.selector is required there and can't be changed later, spec.rollbackTo is gone, and maxSurge, maxUnavailable and progressDeadlineSeconds have other defaults",
  EndpointSlice: "nodeName and zone replace the keys of endpoints[].topology",
  Event: "eventTime, action, reason, type and reportingController are required there",
  HorizontalPodAutoscaler:
    "the targets of spec.metrics[] are written as target.type with averageUtilization, averageValue or value",
  Ingress:
    "each path needs a pathType, service.name and service.port replace serviceName and servicePort, and spec.defaultBackend replaces spec.backend",
  MutatingWebhookConfiguration:
    "sideEffects and admissionReviewVersions are required there, and failurePolicy, matchPolicy and timeoutSeconds have other defaults",
  PodDisruptionBudget: "an empty selector selects every pod of the namespace there, and no pod before",
  PriorityLevelConfiguration:
    "nominalConcurrencyShares replaces assuredConcurrencyShares, and 0 means 0 in v1, not the default of 30",
  ReplicaSet: "spec.selector is required there and can't be changed later",
  ResourceClaim: "the fields of a request stand below exactly there",
  ResourceClaimTemplate: "the fields of a request stand below exactly there",
  StatefulSet:
    "spec.selector is required there and can't be changed later, and the default of spec.updateStrategy.type is RollingUpdate",
  ValidatingWebhookConfiguration:
    "sideEffects and admissionReviewVersions are required there, and failurePolicy, matchPolicy and timeoutSeconds have other defaults",
};

/** `to`: an apiVersion that the target serves. */
export function describeReplacement(object: JsonObject, apiVersion: string, kind: string, to: string): Replacement {
  const edits = listEdits(object, apiVersion, kind, to);
  const changes = edits?.length === 0 ? "no other field changes" : (findOwn(CHANGES, kind) ?? "compare its fields");
  const remedy = `Write ${to}: ${changes}.`;
  return edits === undefined
    ? { remedy }
    : { remedy, edits: [{ kind: "set", path: ["apiVersion"], value: to }, ...edits] };
}

/** The edits beside that of the apiVersion; undefined if they are not certain. */
function listEdits(object: JsonObject, from: string, kind: string, to: string): readonly ManifestEdit[] | undefined {
  if ((findOwn(EQUAL, from) ?? "").split(" ").includes(kind)) return [];
  switch (kind) {
    case "DaemonSet":
    case "Deployment":
    case "ReplicaSet":
    case "StatefulSet":
      return hasEqualWorkload(object, from, kind) ? [] : undefined;
    case "Ingress":
      return listIngressEdits(object);
    case "NetworkPolicy":
      return [];
    case "PodDisruptionBudget":
      return selectsSome(at(object, "spec", "selector")) ? [] : undefined;
    case "PriorityLevelConfiguration":
      return listShareEdits(object, to);
    default:
      return undefined;
  }
}

/** apps/v1beta2 has the defaults of apps/v1, and a ReplicaSet never had others. */
function hasEqualWorkload(object: JsonObject, from: string, kind: string): boolean {
  return isObject(at(object, "spec", "selector")) && (from === "apps/v1beta2" || kind === "ReplicaSet");
}

/** An absent selector selects no pod in either version. */
function selectsSome(selector: Json | undefined): boolean {
  if (!isObject(selector)) return true;
  return (
    Object.keys(objectAt(selector, "matchLabels")).length > 0 || objectsAt(selector, "matchExpressions").length > 0
  );
}

function listShareEdits(object: JsonObject, to: string): readonly ManifestEdit[] | undefined {
  const isNamed = at(object, "spec", "limited", "assuredConcurrencyShares") !== undefined;
  const name = isNamed ? "assuredConcurrencyShares" : "nominalConcurrencyShares";
  const path = ["spec", "limited", name];
  if (to.endsWith("/v1") && numberAt(object, ...path) === 0) return undefined;
  return isNamed && !to.endsWith("/v1beta2") ? [{ kind: "rename", path, to: "nominalConcurrencyShares" }] : [];
}

/** What makes an Ingress of v1beta1 one of v1; undefined if a backend has another form than v1beta1 gave it. */
function listIngressEdits(object: JsonObject): readonly ManifestEdit[] | undefined {
  const edits: ManifestEdit[] = [];
  const backend = at(object, "spec", "backend");
  if (backend !== undefined) {
    const value = convertBackend(backend);
    if (value === undefined) return undefined;
    edits.push({ kind: "set", path: ["spec", "backend"], value });
    edits.push({ kind: "rename", path: ["spec", "backend"], to: "defaultBackend" });
  }
  for (const [i, rule] of listAt(object, "spec", "rules").entries())
    for (const [j, route] of listAt(rule, "http", "paths").entries()) {
      const own = listPathEdits(route, ["spec", "rules", i, "http", "paths", j]);
      if (own === undefined) return undefined;
      edits.push(...own);
    }
  return edits;
}

/** Without a pathType, v1beta1 means ImplementationSpecific; it means a path without a text to be "/". */
function listPathEdits(route: Json, path: ManifestPath): readonly ManifestEdit[] | undefined {
  const value = convertBackend(at(route, "backend"));
  if (value === undefined) return undefined;
  const hasType = textAt(route, "pathType") !== undefined;
  return [
    ...(hasType ? [] : [{ kind: "set", path: [...path, "pathType"], value: "ImplementationSpecific" } as const]),
    { kind: "set", path: [...path, "backend"], value },
  ];
}

function convertBackend(backend: Json | undefined): Json | undefined {
  if (!isObject(backend)) return undefined;
  const { serviceName, servicePort, ...others } = backend;
  if (serviceName === undefined && servicePort === undefined) return backend;
  if (typeof serviceName !== "string" || Object.keys(others).length > 0) return undefined;
  if (typeof servicePort === "number") return { service: { name: serviceName, port: { number: servicePort } } };
  return typeof servicePort === "string" ? { service: { name: serviceName, port: { name: servicePort } } } : undefined;
}
