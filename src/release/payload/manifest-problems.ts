import type { ReleaseProblem } from "../../model/release.ts";
import { FEATURE_GATE, FEATURE_SET, type InclusionFacts, findUnknownFeatureSets, isIncluded } from "./inclusion.ts";
import { buildProblem, type Payload, type PayloadManifest } from "./payload.ts";

/** Reports the manifests that apply or not depending on the target's gates, if these are unknown. */
export function findGateProblems(payload: Payload, facts: InclusionFacts, why: string): readonly ReleaseProblem[] {
  const gatedManifests = payload.manifests.filter(
    (manifest) =>
      manifest.annotations.has(FEATURE_GATE) &&
      !manifest.annotations.has(FEATURE_SET) &&
      wouldApplyWithout(FEATURE_GATE, manifest, facts),
  );
  const [first] = gatedManifests;
  if (!first) return [];
  const message = `${first.file}${formatMore(gatedManifests.length - 1)} requires feature gates, but ${why}`;
  return [buildProblem("FeatureGatesUnknown", first.file, message)];
}

/** The operator leaves out a manifest with a feature set that it does not know, but the target's operator may know more than preflight. */
export function findFeatureSetProblems(payload: Payload, facts: InclusionFacts): readonly ReleaseProblem[] {
  return payload.manifests.flatMap((manifest) => {
    const unknown = findUnknownFeatureSets(manifest);
    const isForFeatureSet = manifest.annotations.get(FEATURE_SET)?.split(",").includes(facts.featureSet);
    if (unknown.length === 0 || !isForFeatureSet || !wouldApplyWithout(FEATURE_SET, manifest, facts)) return [];
    const message = `it is left out because its feature set ${unknown.map((name) => JSON.stringify(name)).join(", ")} is not known`;
    return [buildProblem("UnknownFeatureSet", manifest.file, message)];
  });
}

export function findDeleteProblems(
  manifests: readonly PayloadManifest[],
  annotation: string,
): readonly ReleaseProblem[] {
  return manifests.flatMap(({ annotations, file, kind, name }) => {
    const value = annotations.get(annotation);
    if (value === undefined || value === "true") return [];
    const message = `${annotation} of ${kind} ${name} is ${JSON.stringify(value)}, but only "true" is valid`;
    return [buildProblem("InvalidAnnotation", file, message)];
  });
}

export function findContentProblems(manifests: readonly PayloadManifest[]): readonly ReleaseProblem[] {
  return manifests.flatMap(({ contentError, file, name }) => {
    if (contentError === undefined) return [];
    return [buildProblem("InvalidManifest", file, `${file}: ${name} ${contentError}`)];
  });
}

function wouldApplyWithout(annotation: string, manifest: PayloadManifest, facts: InclusionFacts): boolean {
  const annotations = new Map([...manifest.annotations].filter(([key]) => key !== annotation));
  // Without any annotation it would count as a manifest that never had one.
  return annotations.size > 0 && isIncluded({ ...manifest, annotations }, facts);
}

function formatMore(count: number): string {
  return count === 0 ? "" : ` (and ${count} more)`;
}
