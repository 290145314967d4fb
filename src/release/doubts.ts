import type { Problem } from "../model/release.ts";
import { FEATURE_GATE, FEATURE_SET, type InclusionFacts, unknownFeatureSets, whyExcluded } from "./inclusion.ts";
import type { Payload, PayloadManifest } from "./payload.ts";
import { problem } from "./problem.ts";

/** Where the target's gates are unknown: which manifests would apply with the right gates can't be said. */
export function gateProblems(payload: Payload, facts: InclusionFacts, why: string): readonly Problem[] {
  const gated = payload.manifests.filter(
    (manifest) =>
      manifest.annotations.has(FEATURE_GATE) &&
      !manifest.annotations.has(FEATURE_SET) &&
      appliesWithout(FEATURE_GATE, manifest, facts),
  );
  const [first] = gated;
  if (!first) return [];
  const message = `${first.file}${more(gated.length - 1)} asks for feature gates, and ${why}`;
  return [problem("FeatureGatesUnknown", first.file, message)];
}

/** The operator leaves out a manifest with a feature set that it doesn't know, but the target's operator may know more than is known here. */
export function featureSetProblems(payload: Payload, facts: InclusionFacts): readonly Problem[] {
  return payload.manifests.flatMap((manifest) => {
    const unknown = unknownFeatureSets(manifest);
    const wanted = manifest.annotations.get(FEATURE_SET)?.split(",").includes(facts.featureSet);
    if (unknown.length === 0 || !wanted || !appliesWithout(FEATURE_SET, manifest, facts)) return [];
    const message = `it is left out, since its feature set ${unknown.map((name) => JSON.stringify(name)).join(", ")} is not known`;
    return [problem("UnknownFeatureSet", manifest.file, message)];
  });
}

export function deleteProblems(manifests: readonly PayloadManifest[], annotation: string): readonly Problem[] {
  return manifests.flatMap(({ annotations, file, kind, name }) => {
    const value = annotations.get(annotation);
    if (value === undefined || value === "true") return [];
    const message = `${annotation} of ${kind} ${name} is ${JSON.stringify(value)}, and only "true" has a meaning`;
    return [problem("InvalidAnnotation", file, message)];
  });
}

export function contentProblems(manifests: readonly PayloadManifest[]): readonly Problem[] {
  return manifests.flatMap(({ unusable, file, name }) => {
    if (unusable === undefined) return [];
    return [problem("InvalidManifest", file, `${file}: ${name} ${unusable}`)];
  });
}

function appliesWithout(annotation: string, manifest: PayloadManifest, facts: InclusionFacts): boolean {
  const annotations = new Map([...manifest.annotations].filter(([key]) => key !== annotation));
  // One without any annotation left would count as one that never had any.
  return annotations.size > 0 && whyExcluded({ ...manifest, annotations }, facts) === undefined;
}

function more(count: number): string {
  return count === 0 ? "" : ` (and ${count} more)`;
}
