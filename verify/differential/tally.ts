import type { Comparison, Difference, DifferenceKind } from "./comparison.ts";
import type { DefinitionDifference } from "./server-rounds.ts";
import { findKnownDifference } from "./known-differences.ts";

/** What was compared with one opponent, over all bundles. `known`: differences by the name of a known fault of theirs. */
export type CampaignTally = {
  rounds: number;
  objects: number;
  verdicts: number;
  refused: number;
  unknown: number;
  definitions: number;
  readonly kinds: Record<DifferenceKind | "definition", number>;
  readonly known: Map<string, number>;
};

export function startTally(): CampaignTally {
  return {
    rounds: 0,
    objects: 0,
    verdicts: 0,
    refused: 0,
    unknown: 0,
    definitions: 0,
    kinds: { missed: 0, false: 0, wrong: 0, definition: 0 },
    known: new Map(),
  };
}

/** Adds a bundle, and returns the differences that nothing explains. */
export function addComparison(
  tally: CampaignTally,
  rounds: number,
  comparison: Comparison,
  minor: number,
): Pick<Comparison, "differences" | "definitionDifferences"> {
  tally.rounds += rounds;
  tally.objects += comparison.objects;
  tally.verdicts += comparison.verdicts;
  tally.refused += comparison.refused;
  tally.unknown += comparison.unknown;
  tally.definitions += comparison.definitions;
  const isUnknown = <T extends Difference | DefinitionDifference>(difference: T): boolean => {
    const known = findKnownDifference(difference, minor);
    if (known === undefined) tally.kinds["kind" in difference ? difference.kind : "definition"]++;
    else tally.known.set(known, (tally.known.get(known) ?? 0) + 1);
    return known === undefined;
  };
  return {
    differences: comparison.differences.filter(isUnknown),
    definitionDifferences: comparison.definitionDifferences.filter(isUnknown),
  };
}

export function countDifferences({ kinds }: CampaignTally): number {
  return Object.values(kinds).reduce((sum, count) => sum + count, 0);
}
