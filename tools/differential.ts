/**
 * Compares our verdicts with those of an API server and of its packages: `npm run differential` takes two minutes; with `--verdicts N` or
 * `--seconds N`, `--seed N`, `--against packages,server`, `--minor 31` and `--write` (docs/design/differential.md) it is the long form.
 * `--case FILE` asks again what a case holds. Needs ../shared (PREFLIGHT_SHARED) and Go.
 */
import type { Compare } from "../test/support/differential/minimise.ts";
import { compareWithPackages, compareWithServer } from "../test/support/differential/opponents.ts";
import type { Opponent } from "../test/support/differential/opponent.ts";
import { openOracle } from "../test/support/schema/differential/oracle.ts";
import { runCampaign } from "./differential/campaign.ts";
import { readCase } from "./differential/cases.ts";
import { buildOracle } from "./differential/minor-packages.ts";
import { type DifferentialOptions, parseOptions } from "./differential/options.ts";
import { findMutants } from "./differential/mutants.ts";
import { writeMutants, writePage } from "./differential/page.ts";
import { openRounds } from "./differential/rounds-source.ts";
import { type CampaignTally, countDifferences } from "./differential/tally.ts";
import { runTestComparisons } from "./differential/test-comparisons.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function openOpponent(against: Opponent, minor: number): Promise<Compare> {
  return against === "server" ? compareWithServer : compareWithPackages(openOracle(await buildOracle(minor)), minor);
}

/** Prints what both say of each object of a case. */
async function askAgain(path: string, { against, minor }: DifferentialOptions): Promise<void> {
  const round = readCase(path);
  for (const one of against) {
    const { differences, definitionDifferences, verdicts } = await (await openOpponent(one, minor))([round]);
    for (const { text } of definitionDifferences) console.log(`${one}: the definition: ${text}`);
    for (const { kind, way, ours, theirs, sample } of differences)
      console.log(JSON.stringify({ against: one, kind, way, ours, theirs, sample }, null, 2));
    console.log(`${one}: ${verdicts} verdicts, ${differences.length + definitionDifferences.length} differences`);
    if (differences.length + definitionDifferences.length > 0) process.exitCode = 1;
  }
}

async function compareAll(options: DifferentialOptions): Promise<void> {
  const makeRound = openRounds(options.seed, options.kinds);
  const stop = new AbortController();
  // The bundles that are being compared end first, and so do their control planes.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const now = (): number => performance.now();
  const runOne = async (against: Opponent): Promise<readonly [Opponent, CampaignTally]> => {
    const compare = await openOpponent(against, options.minor);
    return [against, await runCampaign({ options, against, compare, makeRound, now, say, stop })];
  };
  const compareTests = options.others === "none" ? [] : [runTestComparisons(options.others, options.seed)];
  const [campaigns, tests] = await Promise.all([
    Promise.allSettled(options.against.map(runOne)),
    Promise.allSettled(compareTests),
  ]);
  const tallies = new Map(takeResults(campaigns));
  const rows = takeResults(tests).flat();
  for (const row of rows) console.log(row.join(", "));
  for (const [against, tally] of tallies) {
    const count = countDifferences(tally);
    console.log(`${against}: ${tally.verdicts} verdicts, ${tally.refused} refused, ${count} differences`);
    if (count > 0) process.exitCode = 1;
  }
  if (options.writes) writePage(options, tallies, rows);
}

/** The results; what failed is told, and fails the run. */
function takeResults<T>(outcomes: readonly PromiseSettledResult<T>[]): readonly T[] {
  for (const outcome of outcomes) {
    if (outcome.status !== "rejected") continue;
    say(formatReason(outcome.reason));
    process.exitCode = 1;
  }
  return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
}

/** A failed test says what differs on its stdout. */
function formatReason(reason: unknown): string {
  const output = reason instanceof Error && "stdout" in reason ? String(reason.stdout) : "";
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return [reason instanceof Error ? reason.message.split("\n")[0] : String(reason), ...lines.slice(0, 60)].join("\n");
}

async function plantMutants({ seed, writes }: DifferentialOptions): Promise<void> {
  const outcomes = await findMutants(seed, () => performance.now());
  for (const { file, isFound, seconds } of outcomes)
    console.log(`${isFound ? "found" : "missed"}: ${file}, ${seconds} s`);
  if (writes) writeMutants(outcomes);
  if (outcomes.some(({ isFound }) => !isFound)) process.exitCode = 1;
}

const options = parseOptions(process.argv.slice(2));
if (options.plants) await plantMutants(options);
else if (options.again === undefined) await compareAll(options);
else await askAgain(options.again, options);
