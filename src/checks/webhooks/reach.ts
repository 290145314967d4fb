import type { AdmissionWebhook, WebhookRule } from "./webhooks.ts";
import { type Labels, matchesSelector } from "../../model/object.ts";
import type { Release } from "../../model/release.ts";

export type Namespace = { readonly name: string; readonly labels: Labels };

/**
 * The requests of an update that call a webhook: those for pods, which drains evict and create again in any namespace, or else other
 * writes of operators. `deletes`: only deletions that nothing waits for. `labelled`: only requests for objects with certain labels, which
 * the check doesn't examine. `empty`: those for a kind that has no objects. `unknown`: what decides could not be read.
 */
export type Reach = "pods" | "writes" | "deletes" | "labelled" | "empty" | "nothing" | "unknown";

/** The namespaces of what an update brings. */
const PLATFORM_NAMESPACE = /^(openshift|openshift-.*|kube-.*)$/;

const POD_RESOURCES = ["pods", "pods/binding", "pods/eviction", "pods/status"];

/** The only operation of the subresources that are written here. */
const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ["binding", "CREATE"],
  ["eviction", "CREATE"],
  ["status", "UPDATE"],
  ["token", "CREATE"],
]);

export function judgeReach(
  hook: AdmissionWebhook,
  namespaces: readonly Namespace[],
  writtenKinds: readonly WrittenKind[],
): Reach {
  const visible = namespaces.filter(({ labels }) => matchesSelector(hook.namespaces, labels));
  const reach = findWidestReach(hook, visible, writtenKinds);
  // Match conditions are not evaluated: they usually exclude few requests, and which ones can't be known here.
  return reach === "nothing" || matchesSelector(hook.objects, {}) ? reach : "labelled";
}

function findWidestReach(
  { rules }: AdmissionWebhook,
  visible: readonly Namespace[],
  writtenKinds: readonly WrittenKind[],
): "pods" | "writes" | "deletes" | "nothing" {
  if (visible.length > 0 && rules.some(matchesPods)) return "pods";
  const seesPlatform = visible.some(({ name }) => PLATFORM_NAMESPACE.test(name));
  const matchesAny = (kinds: readonly WrittenKind[], operations: readonly string[]): boolean =>
    kinds
      .filter(({ isNamespaced }) => seesPlatform || !isNamespaced)
      .some((kind) => rules.some((rule) => matchesKind(rule, kind, operations)));
  if (matchesAny(writtenKinds, ["CREATE", "UPDATE"]) || matchesAny(DETACHED, ["DELETE"])) return "writes";
  return matchesAny(DELETED, ["DELETE"]) ? "deletes" : "nothing";
}

function matchesPods(rule: WebhookRule): boolean {
  if (rule.scope === "Cluster" || !hasGroup(rule, "") || !hasVersion(rule, "v1")) return false;
  return POD_RESOURCES.some((one) => hasResource(rule, one) && hasOperation(rule, ["CREATE", "UPDATE", "DELETE"], one));
}

function matchesKind(rule: WebhookRule, kind: WrittenKind, operations: readonly string[]): boolean {
  const { group, version, resource, isNamespaced } = kind;
  if (!hasOperation(rule, operations, resource) || !hasGroup(rule, group) || !hasVersion(rule, version)) return false;
  if (resource === undefined) return matchesGroup(rule, kind, operations);
  // A namespace is itself cluster-scoped, although selectors can exclude it.
  return hasScope(rule, isNamespaced && resource !== "namespaces") && hasResource(rule, resource);
}

/** Of all groups, a rule that names resources is for those groups that have them. */
function matchesGroup(
  rule: WebhookRule,
  { group, shipped, isNamespaced }: WrittenKind,
  operations: readonly string[],
): boolean {
  const written = rule.resources.filter((one) => hasOperation(rule, operations, one));
  if (shipped === undefined) return written.length > 0;
  const has = (one: string): boolean => one.startsWith("*") || shipped.has(one.replace(/\/.*/, ""));
  return hasScope(rule, isNamespaced) && written.some((one) => rule.groups.includes(group) || has(one));
}

function hasScope({ scope }: WebhookRule, isNamespaced: boolean): boolean {
  return scope === "*" || scope === (isNamespaced ? "Namespaced" : "Cluster");
}

function hasOperation(rule: WebhookRule, operations: readonly string[], resource = ""): boolean {
  const only = OPERATIONS.get(resource.replace(/.*\//, ""));
  const possible = only === undefined ? operations : operations.filter((one) => one === only);
  return possible.length > 0 && rule.operations.some((one) => one === "*" || possible.includes(one));
}

function hasGroup({ groups }: WebhookRule, group: string): boolean {
  return groups.includes("*") || groups.includes(group);
}

/** Whichever version a client requests, the API server asks a webhook whose rule has any that it serves, and no other. */
function hasVersion({ versions }: WebhookRule, served: string | undefined): boolean {
  return served === undefined || versions.includes("*") || versions.includes(served);
}

/** "*" means all resources without their subresources, "pods/*" a resource with all of its subresources. */
export function hasResource({ resources }: Pick<WebhookRule, "resources">, expected: string): boolean {
  const [resource = "", subresource] = expected.split("/");
  const patterns =
    subresource === undefined ? ["*", resource, `${resource}/*`] : [`${resource}/*`, `*/${subresource}`, expected];
  return resources.some((one) => one === "*/*" || patterns.includes(one));
}

/** A kind whose objects an update creates or changes. Without a resource, all of the group's. */
export type WrittenKind = {
  readonly group: string;
  /** The only one that every supported release serves; absent if there may be others. */
  readonly version?: string;
  readonly resource?: string;
  /** The resources of a whole group that the target ships; absent if it may have others. */
  readonly shipped?: ReadonlySet<string>;
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

/** Before 1.29 it is served only in beta versions. */
const FLOW_CONTROL = "flowcontrol.apiserver.k8s.io";

const CLUSTER_SCOPED: Readonly<Record<string, readonly string[]>> = {
  "": ["nodes", "nodes/status"],
  "apiextensions.k8s.io": ["customresourcedefinitions"],
  "apiregistration.k8s.io": ["apiservices"],
  "authentication.k8s.io": ["tokenreviews"],
  "authorization.k8s.io": ["subjectaccessreviews"],
  "certificates.k8s.io": ["certificatesigningrequests"],
  [FLOW_CONTROL]: ["flowschemas", "prioritylevelconfigurations"],
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

/** The image of the cluster-version operator brings these, and an extracted release lacks them. */
const OPERATORS_OWN = ["clusteroperators", "clusterversions"];

/** While its deletion is refused, the volumes of a drained node stay attached to it, and their pods can't start elsewhere. */
const DETACHED = expandTable({ "storage.k8s.io": ["volumeattachments"] }, false);

/** What pruners, controllers with a limit of revisions, and the garbage collector delete. */
const DELETED: readonly WrittenKind[] = [
  ...expandTable(
    {
      "": ["configmaps", "secrets"],
      apps: ["controllerrevisions", "replicasets"],
      batch: ["jobs"],
      "discovery.k8s.io": ["endpointslices"],
    },
    true,
  ),
  ...expandTable({ "certificates.k8s.io": ["certificatesigningrequests"] }, false),
];

/** All kinds that an update writes besides pods: Kubernetes' own, OpenShift's, and those that the target brings. */
export function selectWrittenKinds(release: Pick<Release, "crds" | "unknownFacts">): readonly WrittenKind[] {
  const builtIn = [...expandTable(NAMESPACED, true), ...expandTable(CLUSTER_SCOPED, false)];
  if (release.unknownFacts !== undefined) return builtIn;
  const shipped = release.crds.map(({ group, plural, scope }) => ({
    group,
    resource: plural,
    isNamespaced: scope === "Namespaced",
  }));
  const byGroup = Map.groupBy(release.crds, ({ group }) => group);
  const whole = OPENSHIFT_KINDS.map((kind) => {
    const crds = byGroup.get(kind.group);
    return crds === undefined
      ? kind
      : { ...kind, shipped: new Set([...crds.map(({ plural }) => plural), ...OPERATORS_OWN]) };
  });
  return [...builtIn, ...whole, ...shipped];
}

function expandTable(
  kinds: Readonly<Record<string, readonly string[]>>,
  isNamespaced: boolean,
): readonly WrittenKind[] {
  return Object.entries(kinds).flatMap(([group, resources]) =>
    resources.map((resource) => ({
      group,
      ...(group === FLOW_CONTROL ? {} : { version: "v1" }),
      resource,
      isNamespaced,
    })),
  );
}
