import { textAt } from "../../src/model/json.ts";
import { predict } from "./prediction.ts";
import type { Round } from "./round.ts";
import type { Sample } from "./sample.ts";
import type { RoundAnswers } from "./server-rounds.ts";
import { type Verdict, type Way, listCompared, listDifferences } from "./verdict.ts";

/** Missed: they refuse what we let pass. False: the other way round. Wrong: both refuse, in other places, or read something else. */
export type DifferenceKind = "missed" | "false" | "wrong";

export type Difference = {
  readonly kind: DifferenceKind;
  readonly round: Round;
  readonly way: Way;
  readonly sample: Sample;
  readonly ours: Verdict;
  readonly theirs: Verdict;
};

/** What was compared of rounds: `refused` counts verdicts that refuse, `unknown` those on which we have none. */
export type Comparison = {
  readonly objects: number;
  readonly verdicts: number;
  readonly refused: number;
  readonly unknown: number;
  readonly definitions: number;
  readonly differences: readonly Difference[];
  readonly definitionDifferences: RoundAnswers["differences"];
};

export function compareAnswers({ answers, definitions, differences }: RoundAnswers): Comparison {
  const compared = answers.map(({ subject, sample, outcome }) => {
    const ours = predict(subject, sample);
    const ways = listCompared(ours, outcome);
    const refused = ways.filter((way) => outcome[way]?.passes === false).length;
    const different = listDifferences(ours, outcome).flatMap((way): readonly Difference[] => {
      const own = ours[way];
      const theirs = outcome[way];
      if (own === undefined || theirs === undefined) return [];
      return [{ kind: findKind(own, theirs), round: subject.round, way, sample, ours: own, theirs }];
    });
    const unknown = Object.keys(outcome).filter((way) => ours[way]?.isUnknown).length;
    return { verdicts: ways.length, refused, unknown, different };
  });
  return {
    objects: compared.length,
    verdicts: compared.reduce((sum, { verdicts }) => sum + verdicts, 0),
    refused: compared.reduce((sum, { refused }) => sum + refused, 0),
    unknown: compared.reduce((sum, { unknown }) => sum + unknown, 0),
    definitions,
    differences: compared.flatMap(({ different }) => different),
    definitionDifferences: differences,
  };
}

/**
 * The differences that show again in so many further comparisons. Go visits the fields of an object in a random order, so that a server may
 * give one of several answers.
 */
export async function keepStable(
  differences: readonly Difference[],
  compare: (rounds: readonly Round[]) => Promise<Comparison>,
  repeats: number,
): Promise<readonly Difference[]> {
  let stable = differences;
  for (let i = 0; i < repeats && stable.length > 0; i++) {
    const rounds = [...new Set(stable.map(({ round }) => round))];
    const again = await compare(rounds);
    const keys = new Set(again.differences.map(formatKey));
    stable = stable.filter((one) => keys.has(formatKey(one)));
  }
  return stable;
}

function formatKey({ round, way, sample }: Difference): string {
  return [round.group, way, textAt(sample.object, "metadata", "name") ?? ""].join("\u0000");
}

function findKind(ours: Verdict, theirs: Verdict): DifferenceKind {
  if (ours.passes === theirs.passes) return "wrong";
  return ours.passes ? "missed" : "false";
}
