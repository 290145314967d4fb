import type { Hook, Rule } from "./hooks.ts";
import { type Labels, selects } from "./selectors.ts";
import type { Written } from "./written.ts";

export type Namespace = { readonly name: string; readonly labels: Labels };

/**
 * What of an update a webhook is asked about: pods, which drained nodes give up, in whatever namespace; or else what operators write.
 * `asked`: only about objects with certain labels, and whether any have them is not known.
 */
export type Reach = "pods" | "writes" | "asked" | "nothing";

/** In their namespaces lies what an update brings. */
const PLATFORM = /^(openshift|openshift-.*|kube-.*)$/;

const OF_PODS = ["pods", "pods/binding", "pods/eviction", "pods/status"];

export function reachOf(hook: Hook, namespaces: readonly Namespace[], written: readonly Written[]): Reach {
  const seen = namespaces.filter(({ labels }) => selects(hook.namespaces, labels));
  const reach = widest(hook, seen, written);
  // Match conditions are not looked at: as a rule they spare a few requests, and whom they spare can't be told.
  return reach === "nothing" || selects(hook.objects, {}) ? reach : "asked";
}

function widest(
  { rules }: Hook,
  seen: readonly Namespace[],
  written: readonly Written[],
): "pods" | "writes" | "nothing" {
  if (seen.length > 0 && rules.some(isOfPods)) return "pods";
  const seesPlatform = seen.some(({ name }) => PLATFORM.test(name));
  const isHit = written.some(
    (kind) => (seesPlatform || !kind.isNamespaced) && rules.some((rule) => isAskedFor(rule, kind)),
  );
  return isHit ? "writes" : "nothing";
}

function isOfPods(rule: Rule): boolean {
  const isChange = hasOperation(rule, ["CREATE", "UPDATE", "DELETE"]);
  return isChange && rule.scope !== "Cluster" && hasGroup(rule, "") && OF_PODS.some((one) => hasResource(rule, one));
}

function isAskedFor(rule: Rule, { group, resource, isNamespaced }: Written): boolean {
  if (!hasOperation(rule, ["CREATE", "UPDATE"]) || !hasGroup(rule, group)) return false;
  // A namespace is itself of the cluster, whatever hides it.
  const scope = isNamespaced && resource !== "namespaces" ? "Namespaced" : "Cluster";
  if (resource === undefined) return true;
  return (rule.scope === "*" || rule.scope === scope) && hasResource(rule, resource);
}

function hasOperation({ operations }: Rule, wanted: readonly string[]): boolean {
  return operations.some((one) => one === "*" || wanted.includes(one));
}

function hasGroup({ groups }: Rule, group: string): boolean {
  return groups.includes("*") || groups.includes(group);
}

/** "*" means all resources without their subresources, "pods/*" all of a resource's subresources without itself. */
export function hasResource({ resources }: Pick<Rule, "resources">, wanted: string): boolean {
  const [resource = "", subresource] = wanted.split("/");
  const patterns = subresource === undefined ? ["*", resource] : [`${resource}/*`, `*/${subresource}`, wanted];
  return resources.some((one) => one === "*/*" || patterns.includes(one));
}
