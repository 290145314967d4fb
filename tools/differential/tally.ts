import type { Comparison, Difference, DifferenceKind } from "../../test/support/differential/comparison.ts";
import { findKnownDifference } from "./known-differences.ts";

/** What was compared with one opponent, over all bundles. `known`: differences by the name of a known fault of theirs. */
export type CampaignTally = {
  rounds: number;
  objects: number;
  verdicts: number;
  refused: number;
  definitions: number;
  definitionDifferences: number;
  readonly kinds: Record<DifferenceKind, number>;
  readonly known: Map<string, number>;
};

export function startTally(): CampaignTally {
  return {
    rounds: 0,
    objects: 0,
    verdicts: 0,
    refused: 0,
    definitions: 0,
    definitionDifferences: 0,
    kinds: { missed: 0, false: 0, wrong: 0 },
    known: new Map(),
  };
}

/** Adds a bundle, and returns the differences that nothing explains. */
export function addComparison(
  tally: CampaignTally,
  rounds: number,
  comparison: Comparison,
  minor: number,
): readonly Difference[] {
  tally.rounds += rounds;
  tally.objects += comparison.objects;
  tally.verdicts += comparison.verdicts;
  tally.refused += comparison.refused;
  tally.definitions += comparison.definitions;
  tally.definitionDifferences += comparison.definitionDifferences.length;
  return comparison.differences.filter((difference) => {
    const known = findKnownDifference(difference, minor);
    if (known === undefined) tally.kinds[difference.kind]++;
    else tally.known.set(known, (tally.known.get(known) ?? 0) + 1);
    return known === undefined;
  });
}

export function countDifferences({ kinds, definitionDifferences }: CampaignTally): number {
  return kinds.missed + kinds.false + kinds.wrong + definitionDifferences;
}
