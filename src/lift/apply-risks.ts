import { isAlertRisk } from "./objects/alert-risk.ts";
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
  addRelease,
} from "./objects/cluster-updates.ts";
import type { PrefixForm } from "./objects/risk-prefix.ts";
import { selectRisks, remainingCapacity } from "./capacity.ts";

export type AppliedRisks = {
  readonly updates: ClusterUpdates;
  /** Whether the target's update has received risks. */
  readonly isMerged: boolean;
  readonly problems: readonly MergeProblem[];
  /** The names of risks that exceed ClusterVersion's limits. */
  readonly omitted: readonly string[];
};

/** Merges a result's risks into the target's update. `otherRisks` are the other sources' entries of conditionalUpdateRisks. */
export function applyRisks(
  updates: ClusterUpdates,
  retained: RetainedResult | undefined,
  otherRisks: readonly JsonObject[],
  form: PrefixForm,
): AppliedRisks {
  if (retained === undefined || retained.risks.length === 0)
    return { updates, isMerged: false, problems: [], omitted: [] };
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
  const alertNames = new Set(candidates.conditional.flatMap(risksOf).filter(isAlertRisk).map(nameOf));
  // An alert on the same risk has another text, but it is not another risk.
  const problems = [...merged.problems, ...findCollisions(candidates, retained.target, kept)].filter(
    ({ kind, risk }) => kind !== "divergent" || !alertNames.has(risk),
  );
  return { updates: merged.updates, isMerged: true, problems, omitted };
}

/** ClusterVersion lists a recommended conditional update in both lists; the update service offers it in one. */
function removeFromAvailable(updates: ClusterUpdates, version: string): ClusterUpdates {
  const duplicates = updates.conditional.filter((update) => versionOf(update) === version).map(releaseOf);
  return { ...updates, available: duplicates.reduce(removeRelease, updates.available) };
}

/** Risks that share a name with a different risk of another version: conditionalUpdateRisks can hold only one of the two. */
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

type WithdrawalResult = {
  readonly updates: ClusterUpdates;
  /** The versions that lost risks. */
  readonly changedVersions: ReadonlySet<string>;
};

/** Removes risks. A release without other risks moves back to the available updates. */
export function withdrawRisks(updates: ClusterUpdates, isWithdrawn: (risk: JsonObject) => boolean): WithdrawalResult {
  const changed = updates.conditional.filter((update) => risksOf(update).some(isWithdrawn));
  const emptied = changed.filter((update) => risksOf(update).every(isWithdrawn));
  const conditional = updates.conditional
    .filter((update) => !emptied.includes(update))
    .map((update) =>
      changed.includes(update) ? { ...update, risks: risksOf(update).filter((risk) => !isWithdrawn(risk)) } : update,
    );
  const available = emptied.map(releaseOf).reduce(addRelease, updates.available);
  return { updates: { available, conditional }, changedVersions: new Set(changed.map(versionOf)) };
}
