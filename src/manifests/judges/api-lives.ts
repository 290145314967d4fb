import { TABLE_VERSIONS, listKindRows, removeVersion } from "../../data-checks/kinds/kind-table.ts";
import { REMOVALS } from "../../model/api-removals.ts";
import { findOwn } from "../../model/json.ts";
import { formatGroupVersion } from "../../model/resource.ts";
import type { Platform } from "../../model/version.ts";

/** A kind of Kubernetes in one version: from `since` on it is served, by a minor before `removedIn`. */
export type ApiLife = {
  readonly since: number;
  readonly deprecated?: number;
  readonly removedIn?: number;
  /** Whether an API server serves it only if that was enabled. */
  readonly isOptional: boolean;
  /** The apiVersions that replace it, the newest first. */
  readonly successors: readonly LaterVersion[];
};

type LaterVersion = { readonly apiVersion: string; readonly since: number };

/** What is served since a minor of Kubernetes 1 that some supported release doesn't reach. Source: the life cycles in k8s.io/api v0.36. */
const SINCE: Readonly<Record<string, number>> = {
  "admissionregistration.k8s.io/v1 MutatingAdmissionPolicy": 36,
  "admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding": 36,
  "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy": 30,
  "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding": 30,
  "admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy": 34,
  "admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBinding": 34,
  "authentication.k8s.io/v1 SelfSubjectReview": 28,
  "certificates.k8s.io/v1beta1 ClusterTrustBundle": 33,
  "certificates.k8s.io/v1beta1 PodCertificateRequest": 35,
  "flowcontrol.apiserver.k8s.io/v1 FlowSchema": 29,
  "flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration": 29,
  "networking.k8s.io/v1 IPAddress": 33,
  "networking.k8s.io/v1 ServiceCIDR": 33,
  "resource.k8s.io/v1 DeviceClass": 34,
  "resource.k8s.io/v1 ResourceClaim": 34,
  "resource.k8s.io/v1 ResourceClaimTemplate": 34,
  "resource.k8s.io/v1 ResourceSlice": 34,
  "resource.k8s.io/v1beta2 DeviceTaintRule": 36,
  "storage.k8s.io/v1 VolumeAttributesClass": 34,
  "storagemigration.k8s.io/v1beta1 StorageVersionMigration": 35,
};

/** Kinds that can be created, and of which nothing is stored. */
const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  "authentication.k8s.io/v1": ["SelfSubjectReview", "TokenReview"],
  "authorization.k8s.io/v1": [
    "LocalSubjectAccessReview",
    "SelfSubjectAccessReview",
    "SelfSubjectRulesReview",
    "SubjectAccessReview",
  ],
  v1: ["Binding"],
};

/** From this minor on, a new beta version is served only if it is enabled. */
const BETAS_OFF_SINCE = 24;
const ALWAYS_ON = "flowcontrol.apiserver.k8s.io/";

function isOptional(apiVersion: string, since: number): boolean {
  if (/alpha\d+$/.test(apiVersion)) return true;
  return /beta\d+$/.test(apiVersion) && since >= BETAS_OFF_SINCE && !apiVersion.startsWith(ALWAYS_ON);
}

/** Undefined if no Kubernetes that is known serves it. */
export function findLife(apiVersion: string, kind: string, platform: Platform): ApiLife | undefined {
  const former = findFormerApi(apiVersion, kind);
  if (former !== undefined) {
    const successors = former.to === "" ? [] : [{ apiVersion: former.to, since: findStart(former.to, kind) }];
    return { since: 0, removedIn: former.removedIn, isOptional: isOptional(apiVersion, 0), successors };
  }
  const removal = REMOVALS.find((one) => one.kind === kind && formatGroupVersion(one.api) === apiVersion);
  if (removal !== undefined) {
    const { api, since, deprecated, removedIn } = removal;
    const stored = removal.successors.map((one) => ({
      apiVersion: formatGroupVersion({ ...api, version: one.version }),
      since: one.since,
    }));
    const successors = [...stored, ...listRequestSuccessors(api.group, kind)];
    const optional = isOptional(apiVersion, since);
    return { since, deprecated, removedIn: removedIn[platform], isOptional: optional, successors };
  }
  if (!listKinds(apiVersion).includes(kind)) return undefined;
  const since = findStart(apiVersion, kind);
  return { since, isOptional: isOptional(apiVersion, since), successors: [] };
}

/** The table of removals names what replaces stored objects only. */
function listRequestSuccessors(group: string, kind: string): readonly LaterVersion[] {
  const apiVersion = `${group}/v1`;
  if (findOwn(REQUESTS, apiVersion)?.includes(kind) !== true) return [];
  return [{ apiVersion, since: findStart(apiVersion, kind) }];
}

/** 0: every supported release serves it. */
function findStart(apiVersion: string, kind: string): number {
  return findOwn(SINCE, `${apiVersion} ${kind}`) ?? 0;
}

/** The kinds of an apiVersion, in the newest release that is known. */
export function listKinds(apiVersion: string): readonly string[] {
  const stored = listKindRows(apiVersion).map(({ type }) => removeVersion(type));
  return [...stored, ...(findOwn(REQUESTS, apiVersion) ?? [])];
}

/** The apiVersions of all that some Kubernetes serves or served. */
export function listOwnVersions(): readonly string[] {
  const removed = REMOVALS.map(({ api }) => formatGroupVersion(api));
  return [...new Set([...TABLE_VERSIONS, ...Object.keys(REQUESTS), ...removed, ...listFormerVersions()])];
}

/** A kind in a version that no supported release serves unasked. `to`: the apiVersion that replaces it, "" if nothing does. */
export type FormerApi = { readonly removedIn: number; readonly to: string };

/** By the minor of Kubernetes 1 that removed them. What later minors removed is in the table of removals. Source: Kubernetes' deprecation guide and the life cycles in k8s.io/api. */
const ROWS: readonly (readonly [removedIn: number, apiVersion: string, kinds: string, to: string])[] = [
  [16, "apps/v1beta1", "ControllerRevision Deployment StatefulSet", "apps/v1"],
  [16, "apps/v1beta2", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet", "apps/v1"],
  [16, "extensions/v1beta1", "DaemonSet Deployment ReplicaSet", "apps/v1"],
  [16, "extensions/v1beta1", "NetworkPolicy", "networking.k8s.io/v1"],
  [16, "extensions/v1beta1", "PodSecurityPolicy", "policy/v1beta1"],
  [20, "settings.k8s.io/v1alpha1", "PodPreset", ""],
  [21, "batch/v2alpha1", "CronJob", "batch/v1"],
  [
    22,
    "admissionregistration.k8s.io/v1beta1",
    "MutatingWebhookConfiguration ValidatingWebhookConfiguration",
    "admissionregistration.k8s.io/v1",
  ],
  [22, "apiextensions.k8s.io/v1beta1", "CustomResourceDefinition", "apiextensions.k8s.io/v1"],
  [22, "apiregistration.k8s.io/v1beta1", "APIService", "apiregistration.k8s.io/v1"],
  [22, "authentication.k8s.io/v1beta1", "TokenReview", "authentication.k8s.io/v1"],
  [
    22,
    "authorization.k8s.io/v1beta1",
    "LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview",
    "authorization.k8s.io/v1",
  ],
  [22, "certificates.k8s.io/v1beta1", "CertificateSigningRequest", "certificates.k8s.io/v1"],
  [22, "coordination.k8s.io/v1beta1", "Lease", "coordination.k8s.io/v1"],
  [22, "extensions/v1beta1", "Ingress", "networking.k8s.io/v1"],
  [22, "networking.k8s.io/v1beta1", "Ingress IngressClass", "networking.k8s.io/v1"],
  [
    22,
    "rbac.authorization.k8s.io/v1alpha1",
    "ClusterRole ClusterRoleBinding Role RoleBinding",
    "rbac.authorization.k8s.io/v1",
  ],
  [
    22,
    "rbac.authorization.k8s.io/v1beta1",
    "ClusterRole ClusterRoleBinding Role RoleBinding",
    "rbac.authorization.k8s.io/v1",
  ],
  [22, "scheduling.k8s.io/v1beta1", "PriorityClass", "scheduling.k8s.io/v1"],
  [22, "storage.k8s.io/v1beta1", "CSIDriver CSINode StorageClass VolumeAttachment", "storage.k8s.io/v1"],
  [24, "storage.k8s.io/v1alpha1", "CSIStorageCapacity VolumeAttachment", "storage.k8s.io/v1"],
  [
    32,
    "admissionregistration.k8s.io/v1alpha1",
    "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding",
    "admissionregistration.k8s.io/v1",
  ],
  [32, "authentication.k8s.io/v1alpha1", "SelfSubjectReview", "authentication.k8s.io/v1"],
  [35, "storage.k8s.io/v1alpha1", "VolumeAttributesClass", "storage.k8s.io/v1"],
];

const FORMER: ReadonlyMap<string, FormerApi> = new Map(
  ROWS.flatMap(([removedIn, apiVersion, kinds, to]) =>
    kinds.split(" ").map((kind) => [`${apiVersion} ${kind}`, { removedIn, to }] as const),
  ),
);

export function findFormerApi(apiVersion: string, kind: string): FormerApi | undefined {
  return FORMER.get(`${apiVersion} ${kind}`);
}

function listFormerVersions(): readonly string[] {
  return ROWS.map(([, apiVersion]) => apiVersion);
}
