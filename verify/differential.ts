/**
 * Compares our verdicts with those of an API server and of its packages: `npm run differential` takes two minutes; with `--verdicts N` or
 * `--seconds N`, `--seed N`, `--against packages,server`, `--minor 31` and `--write` (docs/design/differential.md) it is the long form.
 * `--case FILE` asks again what a case holds. Exits with 1 if something differs, and with 2 if it cannot tell. Needs ../shared (PREFLIGHT_SHARED) and Go.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Compare } from "./differential/minimise.ts";
import { compareWithPackages, compareWithServer } from "./differential/opponents.ts";
import type { Opponent } from "./differential/opponent.ts";
import { runCampaign } from "./differential/campaign.ts";
import { readCase } from "./differential/cases.ts";
import { buildHandler } from "./differential/minor-packages.ts";
import { type DifferentialOptions, readOptions } from "./differential/options.ts";
import { EXIT_CODES, type MutantOutcome, findMutants } from "./differential/mutants.ts";
import { writeMutants, writeRounds, writeTests } from "./differential/page.ts";
import { openRounds } from "./differential/rounds-source.ts";
import { countDifferences } from "./differential/tally.ts";
import { runTestComparisons } from "./differential/test-comparisons.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function openOpponent(against: Opponent, minor: number): Promise<Compare> {
  const handler = await buildHandler(minor);
  return against === "server" ? compareWithServer(handler) : compareWithPackages(handler, minor);
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
    if (differences.length + definitionDifferences.length > 0) process.exitCode = EXIT_CODES.different;
  }
}

/** Each opponent and the tests in a process of their own, because making rounds takes as long as asking about them. */
async function compareAll(options: DifferentialOptions): Promise<void> {
  const parts = [
    ...options.against.map((one) => ["--against", one, "--tests", "none"]),
    ...(options.others === "none" ? [] : [["--against", "", "--tests", options.others]]),
  ];
  // Only what the others don't find is worth a server, which takes longest to ask and to end.
  const isLast = (part: readonly string[]): boolean => options.stops && part.includes("server");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const ended: number[] = [];
  for (const stage of [parts.filter((part) => !isLast(part)), parts.filter(isLast)]) {
    if (!stop.signal.aborted) ended.push(...(await compareStage(stage, options.stops, stop)));
  }
  const isDifferent = ended.includes(EXIT_CODES.different);
  if (ended.some((code) => code !== EXIT_CODES.same))
    process.exitCode = isDifferent ? EXIT_CODES.different : EXIT_CODES.crashed;
}

/** Resolves with the exit codes of processes that run at the same time; `stops`: the first that finds something ends all. */
function compareStage(
  stage: readonly (readonly string[])[],
  stops: boolean,
  stop: AbortController,
): Promise<readonly number[]> {
  const codes = stage.map(async (part) => {
    const args = [...process.execArgv, process.argv[1] ?? "", ...process.argv.slice(2), ...part];
    const child = spawn(process.execPath, args, { stdio: "inherit" });
    const end = (): void => void child.kill("SIGTERM");
    stop.signal.addEventListener("abort", end);
    const [code]: (number | null)[] = await once(child, "close");
    stop.signal.removeEventListener("abort", end);
    // What we ended says nothing.
    const own = code ?? (stop.signal.aborted ? EXIT_CODES.same : EXIT_CODES.crashed);
    if (own !== EXIT_CODES.same && stops) stop.abort();
    return own;
  });
  return Promise.all(codes);
}

async function compareOne(options: DifferentialOptions, against: Opponent): Promise<void> {
  const stop = new AbortController();
  // The bundle that is being compared ends first, so that what was found is told and written; with --stop, that is no longer wanted.
  for (const signal of options.stops ? [] : (["SIGINT", "SIGTERM"] as const)) process.once(signal, () => stop.abort());
  const compare = await openOpponent(against, options.minor);
  const makeRound = openRounds(options.seed, options.kinds);
  const now = (): number => performance.now();
  const tally = await runCampaign({ options, against, compare, makeRound, now, say, stop: stop.signal });
  const count = countDifferences(tally);
  console.log(`${against}: ${tally.verdicts} verdicts, ${tally.refused} refused, ${count} differences`);
  if (count > 0) process.exitCode = EXIT_CODES.different;
  if (options.writes) writeRounds(options, against, tally);
}

async function compareTests(form: "some" | "all", { seed, writes }: DifferentialOptions): Promise<void> {
  const stop = new AbortController();
  // What a test started would be in the way of the next comparison.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const rows = await runTestComparisons(form, seed, stop.signal).catch((thrown: unknown) => {
    if (stop.signal.aborted) return [];
    say(formatReason(thrown));
    // A test that fails otherwise did not compare.
    process.exitCode = /ERR_ASSERTION/.test(readOutput(thrown)) ? EXIT_CODES.different : EXIT_CODES.crashed;
    return [];
  });
  for (const row of rows) console.log(row.join(", "));
  if (writes && rows.length > 0) writeTests(rows);
}

/** A failed test says what differs on its stdout. */
function formatReason(reason: unknown): string {
  const lines = readOutput(reason)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return [reason instanceof Error ? reason.message.split("\n")[0] : String(reason), ...lines.slice(0, 60)].join("\n");
}

function readOutput(reason: unknown): string {
  return reason instanceof Error && "stdout" in reason ? String(reason.stdout) : "";
}

async function plantMutants({ seed, verdicts, writes }: DifferentialOptions): Promise<void> {
  const outcomes: MutantOutcome[] = [];
  for await (const outcome of findMutants({ seed, verdicts }, () => performance.now())) {
    console.log(`${outcome.kind}: ${outcome.file}, ${outcome.seconds} s`);
    outcomes.push(outcome);
  }
  if (writes) writeMutants(outcomes);
  if (outcomes.some(({ kind }) => kind !== "found")) process.exitCode = EXIT_CODES.different;
}

async function main(options: DifferentialOptions): Promise<void> {
  const [against, ...more] = options.against;
  if (options.plants) return plantMutants(options);
  if (options.again !== undefined) return askAgain(options.again, options);
  if (against === undefined) return options.others === "none" ? undefined : compareTests(options.others, options);
  if (more.length === 0 && options.others === "none") return compareOne(options, against);
  return compareAll(options);
}

try {
  await main(readOptions());
} catch (thrown) {
  say(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  process.exitCode = EXIT_CODES.crashed;
}
