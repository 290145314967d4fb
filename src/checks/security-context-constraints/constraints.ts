import { type JsonObject, numberAt, objectAt, textAt, textsAt } from "../../model/json.ts";

/** SecurityContextConstraints that are not the platform's. */
export type CustomConstraints = { readonly name: string; readonly priority: number; readonly isForAll: boolean };

/** Those that operators of the platform create; the others come from the payload, with an annotation. */
const PLATFORM_NAMES = new Set([
  "anyuid",
  "hostaccess",
  "hostmount-anyuid",
  "hostmount-anyuid-v2",
  "hostnetwork",
  "hostnetwork-v2",
  "insights-runtime-extractor-scc",
  "machine-api-termination-handler",
  "nested-container",
  "node-exporter",
  "nonroot",
  "nonroot-v2",
  "privileged",
  "privileged-genevalogging",
  "restricted",
  "restricted-v2",
  "restricted-v3",
]);
const PAYLOAD_ANNOTATION = "include.release.openshift.io/";
/** Groups to which the service accounts of the platform belong. */
const GROUPS = ["system:authenticated", "system:serviceaccounts"];

export function keepCustomConstraints(object: JsonObject): CustomConstraints | undefined {
  const name = textAt(object, "metadata", "name") ?? "";
  const annotations = Object.keys(objectAt(object, "metadata", "annotations"));
  if (isPlatformName(name) || annotations.some((key) => key.startsWith(PAYLOAD_ANNOTATION))) return undefined;
  const isForAll = textsAt(object, "groups").some((group) => GROUPS.includes(group));
  return { name, priority: numberAt(object, "priority") ?? 0, isForAll };
}

export function isPlatformName(name: string): boolean {
  return PLATFORM_NAMES.has(name);
}
