import type { Check } from "../model/check.ts";
import { byText } from "../model/json.ts";
import type { Read } from "../model/read.ts";
import type { Release } from "../model/release.ts";
import type { Resource } from "../model/resource.ts";
import { factReads } from "../runner/facts.ts";

/** A rule of rbac.authorization.k8s.io/v1. */
export type Rule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
};

export type ClusterRole = {
  readonly apiVersion: "rbac.authorization.k8s.io/v1";
  readonly kind: "ClusterRole";
  readonly metadata: { readonly name: string };
  readonly rules: readonly Rule[];
};

export const ROLE_NAME = "cluster-version-operator-preflight";

/**
 * The least rights with which the checks can look. Kinds that only the target names are exact where the release is given,
 * else whole API groups. Namespaced objects are granted cluster-wide by name: a ClusterRole knows no namespaces.
 */
export function clusterRole(checks: readonly Check[], release?: Release): ClusterRole {
  const reads = [...Object.values(factReads), ...checks.flatMap(readsOf)];
  const followed = checks.flatMap((check) => check.followedKinds ?? []);
  const lists = reads.filter((read) => read.kind === "each").map((read) => read.resource);
  const exact = release === undefined ? [] : followed.flatMap((kinds) => kinds.of(release));
  const groups = release === undefined ? followed.flatMap((kinds) => kinds.groups) : [];
  const rules = [...getRules(reads), ...listRules([...lists, ...exact]), ...groupRules(groups)];
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: ROLE_NAME },
    rules,
  };
}

/** What a check reads, or may read, whatever the target. */
export function readsOf(check: Check): readonly Read[] {
  return [...Object.values(check.reads()), ...Object.values(check.mayRead?.() ?? {})];
}

function getRules(reads: readonly Read[]): readonly Rule[] {
  const gets = reads.filter((read) => read.kind === "get");
  const kinds = Map.groupBy(gets, (read) => `${read.resource.group}/${read.resource.resource}`);
  return [...kinds]
    .toSorted(([a], [b]) => byText(a, b))
    .flatMap(([, group]) => {
      const [first] = group;
      if (first === undefined) return [];
      const { group: apiGroup, resource } = first.resource;
      const names = [...new Set(group.map((read) => read.name))].toSorted(byText);
      return [{ apiGroups: [apiGroup], resources: [resource], resourceNames: names, verbs: ["get"] }];
    });
}

function listRules(resources: readonly Resource[]): readonly Rule[] {
  const groups = Map.groupBy(resources, (resource) => resource.group);
  return [...groups]
    .toSorted(([a], [b]) => byText(a, b))
    .map(([group, kinds]) => ({
      apiGroups: [group],
      resources: [...new Set(kinds.map((kind) => kind.resource))].toSorted(byText),
      verbs: ["list"],
    }));
}

function groupRules(groups: readonly string[]): readonly Rule[] {
  if (groups.length === 0) return [];
  return [{ apiGroups: [...new Set(groups)].toSorted(byText), resources: ["*"], verbs: ["list"] }];
}
