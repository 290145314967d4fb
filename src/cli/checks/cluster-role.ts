import { type Check, isOn } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { sortNames } from "../../model/text.ts";
import type { Read } from "../../model/read.ts";
import type { Release } from "../../model/release.ts";
import type { Resource } from "../../model/resource.ts";
import { listEndpointReads, type MonitoringAccess } from "../../cluster/monitoring/endpoint.ts";
import { factReads } from "../../runner/facts/cluster-facts.ts";
import type { Platform } from "../../model/version.ts";

/** A rule of rbac.authorization.k8s.io/v1, for resources or for paths such as /metrics. */
export type PolicyRule = ResourceRule | NonResourceRule;

type ResourceRule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
};

type NonResourceRule = { readonly nonResourceURLs: readonly string[]; readonly verbs: readonly string[] };

export type ClusterRole = {
  readonly apiVersion: "rbac.authorization.k8s.io/v1";
  readonly kind: "ClusterRole";
  readonly metadata: { readonly name: string };
  readonly rules: readonly PolicyRule[];
};

export type ClusterRoleBinding = {
  readonly apiVersion: "rbac.authorization.k8s.io/v1";
  readonly kind: "ClusterRoleBinding";
  readonly metadata: { readonly name: string };
  readonly roleRef: { readonly apiGroup: string; readonly kind: "ClusterRole"; readonly name: string };
  readonly subjects: readonly Subject[];
};

type Subject = Readonly<Record<string, string>>;

const RBAC_GROUP = "rbac.authorization.k8s.io";
export const ROLE_NAME = "cluster-version-operator-preflight";
const KUBERNETES_ROLE_NAME = "target-release-preflight";

/**
 * The least rights that the checks need. With a release, the kinds that only the target names are exact; without one, OpenShift gets
 * their whole API groups. Reads of one platform need no right on the other. Namespaced objects are granted by name in every namespace,
 * since a ClusterRole has no namespaces; all of a kind whose names only the cluster knows.
 */
export function buildClusterRole(
  checks: readonly Check[],
  release?: Release,
  platform: Platform = "openshift",
  otherReads: readonly Read[] = [],
): ClusterRole {
  const applicable = checks.filter((check) => isOn(platform, check));
  const followed = applicable.flatMap((check) => check.special?.followedKinds ?? []);
  const targetKinds = release === undefined ? [] : followed.flatMap((kinds) => kinds.select(release));
  const groups = release === undefined && platform === "openshift" ? followed.flatMap((kinds) => kinds.groups) : [];
  const reads = selectReads(applicable, platform, [...factReads, ...otherReads]);
  return buildRole(
    platform === "openshift" ? ROLE_NAME : KUBERNETES_ROLE_NAME,
    buildReadRules(reads, targetKinds, groups),
  );
}

/** What checks, and whoever looks for them, read beyond the rights of another role, as a role beside it. */
export function buildAddedRole(
  checks: readonly Check[],
  other: ClusterRole,
  platform: Platform,
  otherReads: readonly Read[] = [],
): ClusterRole {
  const applicable = checks.filter((check) => isOn(platform, check));
  const reads = selectReads(applicable, platform, otherReads).filter((read) => !isGranted(read, other));
  return buildRole(`${other.metadata.name}-checks`, buildReadRules(reads));
}

function selectReads(checks: readonly Check[], platform: Platform, others: readonly Read[]): readonly Read[] {
  return [...checks.flatMap(getReads), ...others].filter(({ only }) => only === undefined || only === platform);
}

/** `kinds` and `groups`: what is listed besides. */
function buildReadRules(
  reads: readonly Read[],
  kinds: readonly Resource[] = [],
  groups: readonly string[] = [],
): readonly PolicyRule[] {
  const lists = reads.filter((read) => read.kind === "each").map((read) => read.resource);
  return [
    ...buildGetRules(reads),
    ...buildListRules([...lists, ...kinds]),
    ...buildGroupRules(groups),
    ...buildPathRules(reads),
  ];
}

/**
 * What asking the cluster's monitoring needs, as a role beside another one: the first rule where kube-rbac-proxy guards thanos-querier,
 * from 4.16 on, and the second where oauth-proxy did.
 */
export function buildMonitoringRole(access: MonitoringAccess): ClusterRole {
  const queries = { apiGroups: ["monitoring.coreos.com"], resources: ["prometheuses/api"], resourceNames: ["k8s"] };
  return buildRole(`${ROLE_NAME}-promql`, [
    { ...queries, verbs: ["get"] },
    { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
    ...buildGetRules(listEndpointReads(access)),
  ]);
}

function buildRole(name: string, rules: readonly PolicyRule[]): ClusterRole {
  return { apiVersion: `${RBAC_GROUP}/v1`, kind: "ClusterRole", metadata: { name }, rules };
}

function isGranted(read: Read, { rules }: ClusterRole): boolean {
  if (read.kind === "query") return true;
  if (read.kind === "raw")
    return rules.some((rule) => "nonResourceURLs" in rule && rule.nonResourceURLs.includes(read.path));
  const { group, resource } = read.resource;
  const verb = read.kind === "get" ? "get" : "list";
  return rules.some(
    (rule) =>
      "resources" in rule &&
      rule.verbs.includes(verb) &&
      rule.apiGroups.includes(group) &&
      (rule.resources.includes(resource) || rule.resources.includes("*")) &&
      (rule.resourceNames === undefined || (read.kind === "get" && rule.resourceNames.includes(read.name))),
  );
}

/** Binds a ClusterRole to a user by the name under which the API server knows it. */
export function buildClusterRoleBinding(role: string, user: string): ClusterRoleBinding {
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: role },
    roleRef: { apiGroup: RBAC_GROUP, kind: "ClusterRole", name: role },
    subjects: [buildSubject(user)],
  };
}

function buildSubject(user: string): Subject {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  return namespace === undefined || name === undefined
    ? { apiGroup: RBAC_GROUP, kind: "User", name: user }
    : { kind: "ServiceAccount", namespace, name };
}

/** For each namespace, a Role to get these ConfigMaps by name, or to list all, and who has it, if that is known. */
export function buildConfigMapRoles(
  configMaps: readonly { readonly namespace: string; readonly name: string }[],
  listed: readonly string[],
  role: string,
  user: string | undefined,
): readonly object[] {
  const byNamespace = Map.groupBy(configMaps, ({ namespace }) => namespace);
  const resource = { apiGroups: [""], resources: ["configmaps"] };
  return sortNames([...byNamespace.keys(), ...listed]).flatMap((namespace) => {
    const resourceNames = sortNames((byNamespace.get(namespace) ?? []).map(({ name }) => name));
    const rules = [
      ...(resourceNames.length === 0 ? [] : [{ ...resource, resourceNames, verbs: ["get"] }]),
      ...(listed.includes(namespace) ? [{ ...resource, verbs: ["list"] }] : []),
    ];
    return buildNamespacedRole({ namespace, name: role }, rules, user);
  });
}

/** A Role to get this one Secret, which holds a guest's kubeconfig. */
export function buildSecretRole(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  role: string,
  user: string | undefined,
): readonly object[] {
  const rule = { apiGroups: [""], resources: ["secrets"], resourceNames: [name], verbs: ["get"] };
  return buildNamespacedRole({ namespace, name: role }, [rule], user);
}

/** A Role, and who has it, if that is known. */
function buildNamespacedRole(
  metadata: { readonly namespace: string; readonly name: string },
  rules: readonly PolicyRule[],
  user: string | undefined,
): readonly object[] {
  const apiVersion = `${RBAC_GROUP}/v1`;
  const role = { apiVersion, kind: "Role", metadata, rules };
  if (user === undefined) return [role];
  const roleRef = { apiGroup: RBAC_GROUP, kind: "Role", name: metadata.name };
  return [role, { apiVersion, kind: "RoleBinding", metadata, roleRef, subjects: [buildSubject(user)] }];
}

/** What a check reads, or may read, for any target. */
export function getReads(check: Check): readonly Read[] {
  return [...Object.values(check.reads()), ...Object.values(check.mayRead?.() ?? {})];
}

function buildGetRules(reads: readonly Read[]): readonly PolicyRule[] {
  const gets = reads.filter((read) => read.kind === "get");
  const kinds = Map.groupBy(gets, (read) => `${read.resource.group}/${read.resource.resource}`);
  return [...kinds]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, group]) => {
      const [first] = group;
      if (first === undefined) return [];
      const { group: apiGroup, resource } = first.resource;
      const kind = { apiGroups: [apiGroup], resources: [resource] };
      if (group.some((read) => read.isOfAnyName)) return [{ ...kind, verbs: ["get"] }];
      const names = [...new Set(group.map((read) => read.name))].toSorted(compareText);
      return [{ ...kind, resourceNames: names, verbs: ["get"] }];
    });
}

function buildListRules(resources: readonly Resource[]): readonly PolicyRule[] {
  const groups = Map.groupBy(resources, (resource) => resource.group);
  return [...groups]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([group, kinds]) => ({
      apiGroups: [group],
      resources: [...new Set(kinds.map((kind) => kind.resource))].toSorted(compareText),
      verbs: ["list"],
    }));
}

function buildGroupRules(groups: readonly string[]): readonly PolicyRule[] {
  if (groups.length === 0) return [];
  return [{ apiGroups: [...new Set(groups)].toSorted(compareText), resources: ["*"], verbs: ["list"] }];
}

function buildPathRules(reads: readonly Read[]): readonly PolicyRule[] {
  const paths = reads.filter((read) => read.kind === "raw").map((read) => read.path);
  if (paths.length === 0) return [];
  return [{ nonResourceURLs: [...new Set(paths)].toSorted(compareText), verbs: ["get"] }];
}
