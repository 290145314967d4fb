import type { AdmissionWebhook, WebhookRule } from "./webhooks.ts";
import { type Labels, matchesSelector } from "../shared/label-selector.ts";
import type { WrittenKind } from "./written-kinds.ts";

export type Namespace = { readonly name: string; readonly labels: Labels };

/**
 * The requests of an update that call a webhook: those for pods, which drains evict and create again in any namespace, or else other
 * writes of operators. `labelled`: only those for objects with certain labels, which the check doesn't examine.
 * `empty`: those for a kind that has no objects.
 */
export type Reach = "pods" | "writes" | "labelled" | "empty" | "nothing";

/** The namespaces of what an update brings. */
const PLATFORM_NAMESPACE = /^(openshift|openshift-.*|kube-.*)$/;

const POD_RESOURCES = ["pods", "pods/binding", "pods/eviction", "pods/status"];

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
): "pods" | "writes" | "nothing" {
  if (visible.length > 0 && rules.some(matchesPods)) return "pods";
  const seesPlatform = visible.some(({ name }) => PLATFORM_NAMESPACE.test(name));
  const isHit = writtenKinds.some(
    (kind) => (seesPlatform || !kind.isNamespaced) && rules.some((rule) => matchesKind(rule, kind)),
  );
  return isHit ? "writes" : "nothing";
}

function matchesPods(rule: WebhookRule): boolean {
  const isChange = hasOperation(rule, ["CREATE", "UPDATE", "DELETE"]);
  return (
    isChange && rule.scope !== "Cluster" && hasGroup(rule, "") && POD_RESOURCES.some((one) => hasResource(rule, one))
  );
}

function matchesKind(rule: WebhookRule, { group, resource, isNamespaced }: WrittenKind): boolean {
  if (!hasOperation(rule, ["CREATE", "UPDATE"]) || !hasGroup(rule, group)) return false;
  // A namespace is itself cluster-scoped, although selectors can exclude it.
  const scope = isNamespaced && resource !== "namespaces" ? "Namespaced" : "Cluster";
  if (resource === undefined) return true;
  return (rule.scope === "*" || rule.scope === scope) && hasResource(rule, resource);
}

function hasOperation({ operations }: WebhookRule, expected: readonly string[]): boolean {
  return operations.some((one) => one === "*" || expected.includes(one));
}

function hasGroup({ groups }: WebhookRule, group: string): boolean {
  return groups.includes("*") || groups.includes(group);
}

/** "*" means all resources without their subresources, "pods/*" all of a resource's subresources without itself. */
export function hasResource({ resources }: Pick<WebhookRule, "resources">, expected: string): boolean {
  const [resource = "", subresource] = expected.split("/");
  const patterns = subresource === undefined ? ["*", resource] : [`${resource}/*`, `*/${subresource}`, expected];
  return resources.some((one) => one === "*/*" || patterns.includes(one));
}
