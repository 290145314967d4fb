import type { ManifestEffect, PlacedFinding, PlacedUnknown, UnreadManifest } from "./manifest.ts";

/** What a target makes of manifests. */
export type ManifestsReport = {
  /** The files and folders, as they were given. */
  readonly paths: readonly string[];
  /** "4.20.3", "v1.36", or the path of its CRDs. */
  readonly target: string;
  /** "1.33": the Kubernetes whose API server judges. */
  readonly kubernetes: string;
  /** All that were read, judged or not. */
  readonly objects: number;
  /** Those of them that live in the cluster, and were judged as updates. */
  readonly updates: number;
  /** By effect, place and field. */
  readonly findings: readonly PlacedFinding[];
  /** Only new findings count, and these are the others. */
  readonly since?: { readonly ref: string; readonly former: readonly PlacedFinding[] };
  readonly unknowns: readonly PlacedUnknown[];
  readonly unread: readonly UnreadManifest[];
  /** The risks that are accepted, of those that were found. */
  readonly accepted: readonly string[];
};

/** The worst first. */
export const MANIFEST_EFFECTS: readonly ManifestEffect[] = ["refused", "dropped", "blocks", "later"];

/** What counts as a risk: not what is accepted, nor what only a later release refuses. */
export function countsAsRisk({ accepted }: ManifestsReport): (finding: PlacedFinding) => boolean {
  const names = new Set(accepted);
  return ({ risk, effect }) => effect !== "later" && !names.has(risk);
}

/** Files that nobody takes for manifests leave nothing unknown. */
export function leavesUnknown({ reason }: UnreadManifest): boolean {
  return reason !== "OtherContent";
}
