import { type Json, type JsonObject, at } from "../../model/json.ts";
import { type Version, formatMinor } from "../../model/version.ts";

/** spec.featureSet of featuregates.config.openshift.io/cluster; "" is the default set. */
export type FeatureSet = { readonly kind: "named"; readonly name: string } | { readonly kind: "unreadable" };

export function keepFeatureSet(object: JsonObject): FeatureSet {
  const name: Json = at(object, "spec", "featureSet") ?? "";
  return typeof name === "string" ? { kind: "named", name } : { kind: "unreadable" };
}

/** `obsolete`: the operator replaces it with the default set. `final`: it can't be removed. */
export type FeatureSetClass = "updatable" | "obsolete" | "final" | "unknown";

const FINAL_SETS = new Set(["TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade"]);

/** The cluster-config-operator allows updates only with the default set. */
export function classifyFeatureSet(name: string, source: Version): FeatureSetClass {
  if (name === "") return "updatable";
  // LatencySensitive never blocked an update; releases since 2023 replace it with the default set.
  if (name === "LatencySensitive") return "obsolete";
  if (FINAL_SETS.has(name)) return "final";
  return name === "OKD" && isOkd(source) ? "updatable" : "unknown";
}

/** OKD is the default of OKD's own releases, such as 4.21.0-okd-scos.3. */
function isOkd({ pre }: Version): boolean {
  return pre.some((identifier) => /^okd\b/.test(identifier));
}

export function describeFault(
  name: string,
  featureSetClass: FeatureSetClass,
  source: Version,
  target: Version,
): string {
  const update = `the cluster-version operator refuses the update from ${formatMinor(source)} to ${formatMinor(target)}`;
  if (featureSetClass === "final") return `selects the feature set ${name}, which can't be removed: with it, ${update}`;
  return `selects the feature set ${name}, which ${source.text} doesn't list among those that allow updates: with it, ${update}`;
}
