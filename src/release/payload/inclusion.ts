import type { PayloadManifest } from "./payload.ts";

/** The facts that decide on inclusion, besides capabilities and overrides. */
export type InclusionFacts = {
  /** In a release payload, manifests without annotations are left out; in any other folder they apply. */
  readonly payload: "payload" | "folder";
  readonly profile: string;
  /** "Default", never empty. */
  readonly featureSet: string;
  readonly gates: ReadonlySet<string>;
  readonly major: number;
};

export const FEATURE_SET = "release.openshift.io/feature-set";
export const FEATURE_GATE = "release.openshift.io/feature-gate";
export const INCLUDE = "include.release.openshift.io/";
export const MAJOR_VERSION = "release.openshift.io/major-version";
export const CAPABILITY = "capability.openshift.io/name";

/** LatencySensitive was a feature set until 4.15. */
export const FEATURE_SETS = [
  "Default",
  "CustomNoUpgrade",
  "DevPreviewNoUpgrade",
  "LatencySensitive",
  "OKD",
  "TechPreviewNoUpgrade",
] as const;
/** EXCLUDE_MANIFESTS of the cluster-version operator of a hosted control plane; it is unset in standalone clusters. */
const EXCLUDED_BY_PROFILE: ReadonlyMap<string, string> = new Map([["ibm-cloud-managed", "internal-openshift-hosted"]]);
/** What the operator's own image carries is applied to every guest before the operator starts, whatever its profiles (HyperShift's bootstrap). */
const APPLIED_BY_BOOTSTRAP: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["ibm-cloud-managed", new Set(["clusteroperators.config.openshift.io", "clusterversions.config.openshift.io"])],
]);

/** The annotation that excludes a manifest, and how. */
export type Exclusion = {
  readonly by: "annotations" | "featureSet" | "featureGate" | "majorVersion" | "profile";
  readonly why: string;
};

/**
 * What of a manifest's annotations excludes it; undefined if nothing does. The rules and their order are those of the cluster-version
 * operator (openshift/library-go, pkg/manifest, Include).
 */
export function findExclusion(manifest: PayloadManifest, facts: InclusionFacts): Exclusion | undefined {
  const { annotations } = manifest;
  if (annotations.size === 0)
    return facts.payload === "payload" ? { by: "annotations", why: "no annotations" } : undefined;
  const identifier = EXCLUDED_BY_PROFILE.get(facts.profile);
  if (identifier && annotations.get(`exclude.release.openshift.io/${identifier}`) === "true")
    return { by: "profile", why: `excluded for ${identifier}` };
  if (annotations.has(FEATURE_SET) && annotations.has(FEATURE_GATE))
    return { by: "annotations", why: "both feature sets and feature gates" };
  const reasons = [
    ["featureSet", findFeatureSetReason(annotations.get(FEATURE_SET), facts.featureSet)],
    ["featureGate", findFeatureGateReason(annotations.get(FEATURE_GATE), facts.gates)],
    ["majorVersion", findMajorVersionReason(manifest, facts.major)],
    ["profile", findProfileReason(manifest, facts.profile)],
  ] as const;
  return reasons.flatMap(([by, why]) => (why === undefined ? [] : [{ by, why }]))[0];
}

export function isIncluded(manifest: PayloadManifest, facts: InclusionFacts): boolean {
  return findExclusion(manifest, facts) === undefined;
}

export function getCapabilities(manifest: PayloadManifest): readonly string[] {
  const names = manifest.annotations.get(CAPABILITY);
  return names ? names.split("+") : [];
}

/** Feature sets that preflight does not know. The target may know them, so whether such a manifest applies is unknown. */
export function findUnknownFeatureSets(manifest: PayloadManifest): readonly string[] {
  const list = manifest.annotations.get(FEATURE_SET);
  return list === undefined ? [] : list.split(",").filter((name) => !isFeatureSet(name));
}

function isFeatureSet(name: string): boolean {
  return FEATURE_SETS.some((known) => known === name);
}

function findFeatureSetReason(list: string | undefined, featureSet: string): string | undefined {
  if (list === undefined) return undefined;
  // Names are not trimmed: " OKD" is unknown, and one unknown name excludes.
  const names = list.split(",");
  const unknown = names.find((name) => !isFeatureSet(name));
  if (unknown !== undefined) return `unknown feature set ${JSON.stringify(unknown)}`;
  return names.includes(featureSet) ? undefined : `feature set ${featureSet} is not among ${list}`;
}

function findFeatureGateReason(list: string | undefined, enabled: ReadonlySet<string>): string | undefined {
  for (const gate of parseList(list)) {
    if (gate.startsWith("-")) {
      if (enabled.has(gate.slice(1))) return `feature gate ${gate.slice(1)} is enabled`;
    } else if (!enabled.has(gate)) return `feature gate ${gate} is not enabled`;
  }
  return undefined;
}

function findMajorVersionReason(manifest: PayloadManifest, major: number): string | undefined {
  const list = manifest.annotations.get(MAJOR_VERSION);
  if (list === undefined) return undefined;
  if (!manifest.crd && !manifest.gates && manifest.contentError === undefined)
    return "major versions on a kind without major versions";
  return findMajorMismatch(list, major);
}

/** `5` includes and `-4` excludes a major version; one that matches neither is excluded if the list includes any. */
export function findMajorMismatch(list: string, major: number): string | undefined {
  const items = parseList(list);
  const invalid = items.find((item) => !/^-?\d+$/.test(item));
  if (invalid !== undefined) return `invalid major version ${JSON.stringify(invalid)}`;
  const included = new Set(items.filter((item) => !item.startsWith("-")).map(Number));
  const excluded = new Set(items.filter((item) => item.startsWith("-")).map((item) => Number(item.slice(1))));
  if ([...included].some((version) => excluded.has(version))) return "major versions both included and excluded";
  if (included.has(major)) return undefined;
  return excluded.has(major) || included.size > 0 ? `major version ${major} is not among ${list}` : undefined;
}

function findProfileReason({ name, annotations }: PayloadManifest, profile: string): string | undefined {
  if (annotations.get(INCLUDE + profile) === "true" || APPLIED_BY_BOOTSTRAP.get(profile)?.has(name)) return undefined;
  return `not for the profile ${profile}`;
}

function parseList(list: string | undefined): readonly string[] {
  return (list ?? "").split(",").flatMap((item) => item.trim() || []);
}
