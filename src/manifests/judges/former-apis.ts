/** A kind in a version that no supported release serves. `to`: the apiVersion that replaces it, "" if nothing does. */
export type FormerApi = { readonly removedIn: number; readonly to: string };

/** By the minor of Kubernetes 1 that removed them. What later minors removed is in the table of removals. Source: Kubernetes' deprecation guide and the life cycles in k8s.io/api. */
const ROWS: readonly (readonly [removedIn: number, apiVersion: string, kinds: string, to: string])[] = [
  [16, "apps/v1beta1", "ControllerRevision Deployment StatefulSet", "apps/v1"],
  [16, "apps/v1beta2", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet", "apps/v1"],
  [16, "extensions/v1beta1", "DaemonSet Deployment ReplicaSet", "apps/v1"],
  [16, "extensions/v1beta1", "NetworkPolicy", "networking.k8s.io/v1"],
  [16, "extensions/v1beta1", "PodSecurityPolicy", ""],
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
];

const FORMER: ReadonlyMap<string, FormerApi> = new Map(
  ROWS.flatMap(([removedIn, apiVersion, kinds, to]) =>
    kinds.split(" ").map((kind) => [`${apiVersion} ${kind}`, { removedIn, to }] as const),
  ),
);

export function findFormerApi(apiVersion: string, kind: string): FormerApi | undefined {
  return FORMER.get(`${apiVersion} ${kind}`);
}

export function listFormerVersions(): readonly string[] {
  return ROWS.map(([, apiVersion]) => apiVersion);
}
