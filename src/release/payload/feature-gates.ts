import { compareText } from "../../model/json.ts";
import type { ClusterFacts } from "../../model/release.ts";
import { FEATURE_SET, MAJOR_VERSION, findMajorMismatch } from "./inclusion.ts";
import type { Payload, PayloadManifest } from "./payload.ts";

/** `unknown`: the payload does not list the gates, so it is unknown which manifests with gates apply. */
export type FeatureGates =
  | { readonly kind: "known"; readonly enabled: readonly string[] }
  | { readonly kind: "unknown"; readonly why: string };

/**
 * The gates that the target will enable: for CustomNoUpgrade those of the cluster's spec, else those of the payload's FeatureGate manifest
 * for this profile, feature set and major version. These manifests are for the config operator, so their profile annotation is
 * "false-except-for-the-config-operator"; in 4.15 they have no profile, and their feature sets are annotated since 4.22 only.
 */
export function computeFeatureGates(payload: Payload, facts: ClusterFacts): FeatureGates {
  if (facts.featureSet === "CustomNoUpgrade")
    return { kind: "known", enabled: facts.customGates.enabled.toSorted(compareText) };
  const [manifest, other] = payload.manifests.filter((candidate) => isForCluster(candidate, payload, facts));
  if (!manifest?.gates)
    return { kind: "unknown", why: "the target has no FeatureGate manifest for this feature set and profile" };
  if (other) return { kind: "unknown", why: `${manifest.file} and ${other.file} both list the enabled feature gates` };
  const { details } = manifest.gates;
  const detail =
    details.find(({ version }) => version === payload.version.text) ?? details.find(({ version }) => version === "");
  if (!detail) return { kind: "unknown", why: `${manifest.file} lists no feature gates for ${payload.version.text}` };
  return { kind: "known", enabled: [...new Set(detail.enabled)].toSorted(compareText) };
}

function isForCluster(manifest: PayloadManifest, payload: Payload, facts: ClusterFacts): boolean {
  if (!manifest.gates || manifest.name !== "cluster") return false;
  const { annotations } = manifest;
  const featureSet = facts.featureSet || "Default";
  const sets = annotations.get(FEATURE_SET)?.split(",") ?? [manifest.gates.featureSet || "Default"];
  const majors = annotations.get(MAJOR_VERSION);
  return (
    sets.includes(featureSet) &&
    (majors === undefined || findMajorMismatch(majors, payload.version.major) === undefined) &&
    isForProfile(annotations, facts.profile)
  );
}

function isForProfile(annotations: ReadonlyMap<string, string>, profile: string): boolean {
  const value = annotations.get(`include.release.openshift.io/${profile}`);
  if (value !== undefined) return value === "true" || value === "false-except-for-the-config-operator";
  return ![...annotations.keys()].some((key) => key.startsWith("include.release.openshift.io/"));
}
