import type { MergeProblem } from "./progress/lift-problems.ts";
import type { JsonObject } from "../model/json.ts";
import type { RetainedResult } from "./progress/retained-result.ts";
import { isSameDefinition, mergeRisks } from "./risk-merge.ts";
import {
  type ClusterUpdates,
  nameOf,
  releaseOf,
  risksOf,
  versionOf,
  removeRelease,
} from "./objects/cluster-updates.ts";
import type { PrefixForm } from "./objects/risk-prefix.ts";
import { selectRisks, remainingCapacity } from "./capacity.ts";

export type AppliedRisks = {
  readonly updates: ClusterUpdates;
  /** Have risks been given to the target's update? */
  readonly isMerged: boolean;
  readonly problems: readonly MergeProblem[];
  /** The names of risks for which there was no room. */
  readonly omitted: readonly string[];
};

/** Merges a result's risks into the update that they are about. `taken`: other risks that conditionalUpdateRisks holds. */
export function applyRisks(
  updates: ClusterUpdates,
  retained: RetainedResult,
  otherRisks: readonly JsonObject[],
  form: PrefixForm,
): AppliedRisks {
  if (retained.risks.length === 0) return { updates, isMerged: false, problems: [], omitted: [] };
  const candidates = removeFromAvailable(updates, retained.target);
  const { kept, omitted } = selectRisks(
    retained.risks,
    remainingCapacity(retained.target, candidates, otherRisks),
    retained,
    form,
  );
  if (kept.length === 0) return { updates, isMerged: false, problems: [], omitted };
  const versions = new Map(kept.map((risk) => [nameOf(risk), [retained.target]]));
  const merged = mergeRisks(candidates, kept, versions);
  const problems = [...merged.problems, ...findCollisions(candidates, retained.target, kept)];
  return { updates: merged.updates, isMerged: true, problems, omitted };
}

/** A conditional update that is recommended stands in both lists; the update service offers it in one. */
function removeFromAvailable(updates: ClusterUpdates, version: string): ClusterUpdates {
  const duplicates = updates.conditional.filter((update) => versionOf(update) === version).map(releaseOf);
  return { ...updates, available: duplicates.reduce(removeRelease, updates.available) };
}

/** The same name with another text at another version: only one of the two can stand in conditionalUpdateRisks. */
function findCollisions(
  updates: ClusterUpdates,
  version: string,
  risks: readonly JsonObject[],
): readonly MergeProblem[] {
  const others = updates.conditional.filter((update) => versionOf(update) !== version);
  return risks.flatMap((risk) => {
    const update = others.find((one) =>
      risksOf(one).some((other) => nameOf(other) === nameOf(risk) && !isSameDefinition(other, risk)),
    );
    return update ? [{ kind: "divergent", risk: nameOf(risk), version: versionOf(update) } as const] : [];
  });
}
