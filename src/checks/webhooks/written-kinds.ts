import type { Release } from "../../model/release.ts";

/** A kind whose objects an update creates or changes. Without a resource, all of the group's. */
export type WrittenKind = {
  readonly group: string;
  readonly resource?: string;
  /** Can a namespaceSelector exclude it, by its namespace or, for namespaces, by their own labels? */
  readonly isNamespaced: boolean;
};

const NAMESPACED: Readonly<Record<string, readonly string[]>> = {
  "": ["configmaps", "namespaces", "secrets", "serviceaccounts", "serviceaccounts/token", "services"],
  apps: ["controllerrevisions", "daemonsets", "deployments", "replicasets", "statefulsets"],
  batch: ["cronjobs", "jobs"],
  "coordination.k8s.io": ["leases"],
  "discovery.k8s.io": ["endpointslices"],
  "networking.k8s.io": ["networkpolicies"],
  policy: ["poddisruptionbudgets"],
  "rbac.authorization.k8s.io": ["rolebindings", "roles"],
};

const CLUSTER_SCOPED: Readonly<Record<string, readonly string[]>> = {
  "": ["nodes", "nodes/status"],
  "apiextensions.k8s.io": ["customresourcedefinitions"],
  "apiregistration.k8s.io": ["apiservices"],
  "authentication.k8s.io": ["tokenreviews"],
  "authorization.k8s.io": ["subjectaccessreviews"],
  "certificates.k8s.io": ["certificatesigningrequests"],
  "flowcontrol.apiserver.k8s.io": ["flowschemas", "prioritylevelconfigurations"],
  "rbac.authorization.k8s.io": ["clusterrolebindings", "clusterroles"],
  "scheduling.k8s.io": ["priorityclasses"],
  "storage.k8s.io": ["csidrivers", "csinodes", "storageclasses", "volumeattachments"],
};

/** The kinds that operators write whatever the release's manifests are. */
const OPENSHIFT_KINDS: readonly WrittenKind[] = [
  { group: "config.openshift.io", isNamespaced: false },
  { group: "machineconfiguration.openshift.io", isNamespaced: false },
  { group: "operator.openshift.io", isNamespaced: false },
  { group: "security.openshift.io", isNamespaced: false },
  { group: "machine.openshift.io", isNamespaced: true },
];

/** All kinds that an update writes besides pods: Kubernetes' own, OpenShift's, and those that the target brings. */
export function selectWrittenKinds(release: Release): readonly WrittenKind[] {
  const shipped = release.crds.map(({ group, plural, scope }) => ({
    group,
    resource: plural,
    isNamespaced: scope === "Namespaced",
  }));
  return [...expandTable(NAMESPACED, true), ...expandTable(CLUSTER_SCOPED, false), ...OPENSHIFT_KINDS, ...shipped];
}

function expandTable(
  kinds: Readonly<Record<string, readonly string[]>>,
  isNamespaced: boolean,
): readonly WrittenKind[] {
  return Object.entries(kinds).flatMap(([group, resources]) =>
    resources.map((resource) => ({ group, resource, isNamespaced })),
  );
}
