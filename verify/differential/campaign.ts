import type { Compare } from "./minimise.ts";
import { minimise } from "./minimise.ts";
import { type Difference, keepStable } from "./comparison.ts";
import { writeCase } from "./cases.ts";
import type { Opponent } from "./opponent.ts";
import type { DifferentialOptions } from "./options.ts";
import type { MakeRound } from "./rounds-source.ts";
import { type CampaignTally, addComparison, countDifferences, startTally } from "./tally.ts";

/**
 * `rounds`: how many are in memory, and on one server, at once. `repeats`: of maps with up to eight entries, Go begins with one of eight
 * places, and an answer may need one of them. A server is started anew each time, which takes seconds.
 */
type Bundle = { readonly rounds: number; readonly repeats: number };
const BUNDLES: Readonly<Record<Opponent, Bundle>> = {
  packages: { rounds: 50, repeats: 64 },
  server: { rounds: 100, repeats: 16 },
};
/** Where the first difference ends it, such as a planted fault: that is soon found, and there each time. */
const SHORT_BUNDLES: typeof BUNDLES = { packages: { rounds: 10, repeats: 16 }, server: { rounds: 25, repeats: 4 } };
/** A server is asked other rounds than the packages. */
const FIRST_ROUND: Readonly<Record<Opponent, number>> = { packages: 0, server: 1_000_000 };
const MOST_CASES = 5;
const CASE_MS = 60_000;

export type Campaign = {
  readonly options: DifferentialOptions;
  readonly against: Opponent;
  readonly compare: Compare;
  readonly makeRound: MakeRound;
  /** In milliseconds. */
  readonly now: () => number;
  readonly say: (line: string) => void;
  readonly stop: AbortSignal;
};

/** Compares bundle after bundle, and writes the first differences as cases, each as small as it gets. */
export async function runCampaign(campaign: Campaign): Promise<CampaignTally> {
  const { options, against, compare, makeRound, now, say, stop } = campaign;
  const tally = startTally();
  const end = now() + options.seconds * 1_000;
  const { rounds: size, repeats } = (options.stops ? SHORT_BUNDLES : BUNDLES)[against];
  const shown: Difference[] = [];
  const mayGoOn = (): boolean =>
    tally.verdicts < options.verdicts &&
    now() < end &&
    !stop.aborted &&
    !(options.stops && countDifferences(tally) > 0);
  for (let first = FIRST_ROUND[against]; mayGoOn(); first += size) {
    const rounds = Array.from({ length: size }, (_, i) => makeRound(first + i));
    const comparison = await compare(rounds);
    const stable = await keepStable(comparison.differences, compare, repeats);
    const known = { ...comparison, differences: stable };
    const { differences, definitionDifferences } = addComparison(tally, rounds.length, known, options.minor);
    for (const { round, text } of definitionDifferences.slice(0, MOST_CASES))
      say(`${round.name}: the definition: ${text}`);
    for (const one of differences) {
      const isNew = !shown.some(({ round, way }) => round === one.round && way === one.way);
      if (!isNew || shown.length >= MOST_CASES) continue;
      shown.push(one);
      say(`${one.kind}: ${one.round.name}, ${one.way}`);
    }
    say(`${against} 1.${options.minor}: ${tally.verdicts} verdicts, ${countDifferences(tally)} differences`);
  }
  if (!options.stops && !stop.aborted) for (const one of shown) await tell(one, campaign);
  return tally;
}

async function tell(difference: Difference, { compare, options, now, say }: Campaign): Promise<void> {
  const end = now() + CASE_MS;
  const round = await minimise(difference, compare, () => now() < end);
  const path = writeCase(options.cases, { ...difference, round });
  const { kind, way, ours, theirs } = difference;
  say(
    `${kind}: ${difference.round.name}, ${way}: ours ${JSON.stringify(ours)}, theirs ${JSON.stringify(theirs)}; see ${path}`,
  );
}
