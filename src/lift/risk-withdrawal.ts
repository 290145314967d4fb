import type { JsonObject } from "../model/json.ts";
import { type ClusterUpdates, releaseOf, risksOf, versionOf, addRelease } from "./objects/cluster-updates.ts";

export type WithdrawalResult = {
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
    .map((update) => (changed.includes(update) ? removeRisks(update, isWithdrawn) : update));
  const available = emptied.map(releaseOf).reduce(addRelease, updates.available);
  return { updates: { available, conditional }, changedVersions: new Set(changed.map(versionOf)) };
}

function removeRisks(update: JsonObject, isWithdrawn: (risk: JsonObject) => boolean): JsonObject {
  return { ...update, risks: risksOf(update).filter((risk) => !isWithdrawn(risk)) };
}
