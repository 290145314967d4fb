import type { Json, JsonObject } from "../../model/json.ts";
import { at, findOwn, isObject, listAt, numberAt, objectAt, objectsAt, textAt } from "../../model/json.ts";
import type { ManifestEdit, ManifestPath } from "../../model/manifest.ts";
import { listMetricEdits } from "./autoscaler-metrics.ts";
import { findChanges } from "./version-changes.ts";

/** What to write in place of a removed version. `edits`: if they leave nothing to decide. */
export type Replacement = { readonly remedy: string; readonly edits?: readonly ManifestEdit[] };

/** Kinds by the version that they leave: every field means the same in the version that replaces it. */
const EQUAL: Readonly<Record<string, string>> = {
  "admissionregistration.k8s.io/v1beta1":
    "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding",
  "apiregistration.k8s.io/v1beta1": "APIService",
  "apps/v1beta1": "ControllerRevision",
  "apps/v1beta2": "ControllerRevision",
  "authentication.k8s.io/v1alpha1": "SelfSubjectReview",
  "authentication.k8s.io/v1beta1": "SelfSubjectReview TokenReview",
  "authorization.k8s.io/v1beta1": "SelfSubjectAccessReview SelfSubjectRulesReview",
  "autoscaling/v2beta2": "HorizontalPodAutoscaler",
  "batch/v1beta1": "CronJob",
  "batch/v2alpha1": "CronJob",
  "coordination.k8s.io/v1beta1": "Lease",
  "extensions/v1beta1": "PodSecurityPolicy",
  "flowcontrol.apiserver.k8s.io/v1beta1": "FlowSchema",
  "flowcontrol.apiserver.k8s.io/v1beta2": "FlowSchema",
  "flowcontrol.apiserver.k8s.io/v1beta3": "FlowSchema",
  "networking.k8s.io/v1beta1": "IPAddress IngressClass ServiceCIDR",
  "node.k8s.io/v1beta1": "RuntimeClass",
  "rbac.authorization.k8s.io/v1alpha1": "ClusterRole Role",
  "rbac.authorization.k8s.io/v1beta1": "ClusterRole ClusterRoleBinding Role RoleBinding",
  "resource.k8s.io/v1beta1": "DeviceClass",
  "resource.k8s.io/v1beta2": "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice",
  "scheduling.k8s.io/v1beta1": "PriorityClass",
  "storage.k8s.io/v1alpha1": "CSIStorageCapacity VolumeAttachment VolumeAttributesClass",
  "storage.k8s.io/v1beta1": "CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass",
};

/** `to`: an apiVersion that the target serves. */
export function describeReplacement(object: JsonObject, apiVersion: string, kind: string, to: string): Replacement {
  const edits = listEdits(object, apiVersion, kind, to);
  const changes =
    edits?.length === 0 ? "no other field changes" : (findChanges(apiVersion, kind) ?? "compare its fields");
  const remedy = `Write ${to}: ${changes}.`;
  return edits === undefined
    ? { remedy }
    : { remedy, edits: [{ kind: "set", path: ["apiVersion"], value: to }, ...edits] };
}

/** What does the work of a kind that no version replaces. */
const INSTEAD: Readonly<Record<string, string>> = {
  PodSecurityPolicy:
    "Pod security admission does its work, by labels of the namespace such as pod-security.kubernetes.io/enforce.",
};

/** `kubernetes`: the target's minor, which serves the kind in no version. */
export function describeEnd(apiVersion: string, kind: string, kubernetes: number): Replacement {
  const end = `Leave it out: nothing replaces ${apiVersion} ${kind} in Kubernetes 1.${kubernetes}.`;
  const instead = findOwn(INSTEAD, kind);
  return { remedy: instead === undefined ? end : `${end} ${instead}` };
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
    case "EndpointSlice":
      return objectsAt(object, "endpoints").some(({ topology }) => topology !== undefined) ? undefined : [];
    case "HorizontalPodAutoscaler":
      return listMetricEdits(object);
    case "Ingress":
      return listIngressEdits(object);
    case "LocalSubjectAccessReview":
    case "SubjectAccessReview":
      return listGroupEdits(object);
    case "MutatingWebhookConfiguration":
    case "ValidatingWebhookConfiguration":
      return hasEqualWebhooks(objectsAt(object, "webhooks")) ? [] : undefined;
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

/** What v1 requires is there, and what has another default. */
function hasEqualWebhooks(webhooks: readonly JsonObject[]): boolean {
  const names = new Set(webhooks.map((webhook) => textAt(webhook, "name")));
  return names.size === webhooks.length && webhooks.every(isWholeWebhook);
}

function isWholeWebhook(webhook: JsonObject): boolean {
  const { failurePolicy, matchPolicy, timeoutSeconds, sideEffects } = webhook;
  const hasDefaults = failurePolicy === undefined || matchPolicy === undefined || timeoutSeconds === undefined;
  const isHarmless = sideEffects === "None" || sideEffects === "NoneOnDryRun";
  return !hasDefaults && isHarmless && listAt(webhook, "admissionReviewVersions").length > 0;
}

/** An absent selector selects no pod in either version. */
function selectsSome(selector: Json | undefined): boolean {
  if (!isObject(selector)) return true;
  return (
    Object.keys(objectAt(selector, "matchLabels")).length > 0 || objectsAt(selector, "matchExpressions").length > 0
  );
}

function listGroupEdits(object: JsonObject): readonly ManifestEdit[] {
  const path = ["spec", "group"];
  return at(object, ...path) === undefined ? [] : [{ kind: "rename", path, to: "groups" }];
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
