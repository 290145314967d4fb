import { at, listAt, textAt, flagAt, type JsonObject } from "../../model/json.ts";
import type { Resource } from "../../model/resource.ts";

/** The versions of an API group, by what serves it. */
export type ServedFacts = {
  /** "group/version/plural" of what the CRDs serve; absent if the archive doesn't hold every CRD. */
  readonly customKinds?: ReadonlySet<string>;
  /** "group/version" of every APIService; absent if the archive doesn't hold all of them. */
  readonly groupVersions?: ReadonlySet<string>;
};

/** Groups that no CRD defines: the API server's own, and those of the servers that OpenShift adds. */
export const OTHER_GROUPS: ReadonlySet<string> = new Set([
  "",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "apps",
  "apps.openshift.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "authorization.openshift.io",
  "autoscaling",
  "batch",
  "build.openshift.io",
  "certificates.k8s.io",
  "coordination.k8s.io",
  "custom.metrics.k8s.io",
  "discovery.k8s.io",
  "events.k8s.io",
  "extensions",
  "external.metrics.k8s.io",
  "flowcontrol.apiserver.k8s.io",
  "image.openshift.io",
  "internal.apiserver.k8s.io",
  "metrics.k8s.io",
  "networking.k8s.io",
  "node.k8s.io",
  "oauth.openshift.io",
  "packages.operators.coreos.com",
  "policy",
  "project.openshift.io",
  "quota.openshift.io",
  "rbac.authorization.k8s.io",
  "resource.k8s.io",
  "route.openshift.io",
  "scheduling.k8s.io",
  "security.openshift.io",
  "storage.k8s.io",
  "storagemigration.k8s.io",
  "template.openshift.io",
  "user.openshift.io",
]);

/** The kinds that a CRD serves, if the API server has accepted their names. */
export function listCustomKinds(crd: JsonObject): readonly string[] {
  const group = textAt(crd, "spec", "group");
  const plural = textAt(crd, "spec", "names", "plural");
  const versions = listAt(crd, "spec", "versions").filter((version) => flagAt(version, "served"));
  return versions.map((version) => `${group}/${textAt(version, "name")}/${plural}`);
}

/** True only if the archive shows that the API server does not serve the kind in this version. */
export function isUnserved({ group, version, resource }: Resource, facts: ServedFacts): boolean {
  if (facts.groupVersions !== undefined && group !== "" && !facts.groupVersions.has(`${group}/${version}`)) return true;
  if (facts.customKinds === undefined || OTHER_GROUPS.has(group)) return false;
  return !facts.customKinds.has(`${group}/${version}/${resource}`);
}

/** What the API server answers at /apis, which lists the groups of the APIServices that are available. */
export function buildGroupList(apiServices: readonly JsonObject[]): JsonObject {
  const groups = new Map<string, string[]>();
  for (const service of apiServices) {
    const group = textAt(service, "spec", "group") ?? "";
    const version = textAt(service, "spec", "version") ?? "";
    if (group === "" || !isAvailable(service)) continue;
    groups.set(group, [...(groups.get(group) ?? []), version]);
  }
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: [...groups].map(([name, versions]) => ({
      name,
      versions: versions.map((version) => ({ groupVersion: `${name}/${version}`, version })),
    })),
  };
}

function isAvailable(service: JsonObject): boolean {
  return listAt(service, "status", "conditions").some(
    (one) => at(one, "type") === "Available" && at(one, "status") === "True",
  );
}
