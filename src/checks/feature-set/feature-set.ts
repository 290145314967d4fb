import { type Json, type JsonObject, at } from "../../model/json.ts";
import { type Version, formatMinor } from "../../model/version.ts";

/** What spec.featureSet of featuregates.config.openshift.io/cluster says: "" is the default set. */
export type FeatureSet = { readonly kind: "named"; readonly name: string } | { readonly kind: "unreadable" };

export function keepFeatureSet(object: JsonObject): FeatureSet {
  const name: Json = at(object, "spec", "featureSet") ?? "";
  return typeof name === "string" ? { kind: "named", name } : { kind: "unreadable" };
}

/** `obsolete`: the operator takes it back by itself. */
export type FeatureSetClass = "updatable" | "obsolete" | "final" | "unknown";

const FINAL_SETS = new Set(["TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "CustomNoUpgrade"]);

/** What the cluster-config-operator makes of a set: it lets only clusters with the default one update. */
export function classifyFeatureSet(name: string, source: Version): FeatureSetClass {
  if (name === "") return "updatable";
  // LatencySensitive never blocked an update; releases since 2023 put the default set in its place.
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
  const update = `an update from ${formatMinor(source)} to ${formatMinor(target)} is refused`;
  if (featureSetClass === "final")
    return `chose the feature set ${name}, which can't be undone and with which ${update}`;
  return `chose the feature set ${name}, which ${source.text} doesn't know as one for clusters that are updated, so ${update}`;
}
