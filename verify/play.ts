/** Plays updates on a real control plane, and compares what preflight said with what happened: `npm run play -- 4.20 4.21`. */
import { formatCase, listDifferences } from "./play/differences.ts";
import type { PlayedPair } from "./play/fault.ts";
import { COMPONENT_FAULTS } from "./play/faults/component-sets.ts";
import { FAULTS } from "./play/faults/index.ts";
import { createMemory } from "./play/memory.ts";
import { noControlPlane } from "./api-server/control-plane.ts";
import { COMMON, endWithout, requireFlags } from "./shared/flags.ts";
import { updatePage } from "./shared/markdown.ts";
import { formatResults } from "./play/page.ts";
import { PLAYED_PAIRS } from "./play/played-pairs.ts";
import { playUpdate } from "./play/run.ts";
import { keepRecord, readRecords, summarizePlay } from "./play/play-record.ts";
import type { PlayResult } from "./play/play-result.ts";

const { positionals, values } = requireFlags({
  command: "npm run play --",
  about: "Plays an update on a real control plane, and compares what preflight said with what happened.",
  operands: "[SOURCE TARGET]",
  flags: {
    all: { type: "boolean", default: false, help: "every pair of neighbors, one after the other" },
    rounds: {
      type: "string",
      default: "1",
      help: "with as many other seeds, and more of what broke predictions before",
    },
    objects: { type: "string", default: "320", help: "how many random objects" },
    tightened: { type: "string", default: "12", help: "how many CRDs change beyond what the release changes" },
    seed: COMMON.seed,
    seconds: COMMON.seconds,
    write: COMMON.write,
  },
});
if (noControlPlane) endWithout(noControlPlane);

/** After so many rounds in a row without anything new, the play ends. */
const QUIET_ROUNDS = 3;
const begun = performance.now();
const isOver = (): boolean => performance.now() - begun > Number(values.seconds ?? Infinity) * 1_000;
const memory = createMemory();
const seconds = (): string => ((performance.now() - begun) / 1_000).toFixed(0).padStart(5);
const say = (line: string): void => void process.stderr.write(`${seconds()} ${line}\n`);

function selectPairs(): readonly PlayedPair[] {
  const [source, target] = positionals;
  return PLAYED_PAIRS.filter((pair) => values.all || (pair.source === source && pair.target === target));
}

async function play(pair: PlayedPair, seed: number): Promise<PlayResult> {
  const objects = Number(values.objects);
  const tightened = Number(values.tightened);
  const result = await playUpdate(pair, {
    seed,
    objects,
    tightened,
    faults: [...FAULTS, ...COMPONENT_FAULTS],
    weights: memory,
    say,
  });
  const agreed = result.comparisons.filter(({ verdict }) => verdict === "agreed").length;
  say(`${pair.source} to ${pair.target}, seed ${seed}: ${agreed} of ${result.comparisons.length} objects agreed`);
  for (const { kind, object, text, reason } of listDifferences(result))
    say(`  ${kind}: ${object}: ${text}${reason === undefined ? "" : ` [${reason}]`}`);
  for (const one of result.comparisons.filter(({ verdict }) => verdict !== "agreed").slice(0, 5))
    say(`  ${formatCase(one)}`);
  return result;
}

/** One control plane that breaks down is no reason to lose what the others showed. */
function fail({ source, target }: PlayedPair, thrown: unknown): undefined {
  say(`${source} to ${target} was not played: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
  process.exitCode = 1;
}

/** The page has what was played last of each pair. */
function writePage(): void {
  if (!values.write) return;
  const results = formatResults(readRecords(PLAYED_PAIRS));
  updatePage("docs/played-updates.md", { results }, "npm run play -- --all --write");
}

async function playRounds(pairs: readonly PlayedPair[], rounds: number): Promise<readonly PlayResult[]> {
  const results: PlayResult[] = [];
  for (let round = 0, quiet = 0; round < rounds && quiet < QUIET_ROUNDS; round += 1) {
    const fresh: string[] = [];
    for (const pair of pairs) {
      if (isOver()) return results;
      const result = await play(pair, Number(values.seed) + round).catch((thrown: unknown) => fail(pair, thrown));
      if (result === undefined) continue;
      results.push(result);
      keepRecord(summarizePlay(result));
      writePage();
      fresh.push(...memory.learn(result));
    }
    quiet = fresh.length === 0 ? quiet + 1 : 0;
    if (quiet === QUIET_ROUNDS) say(`${QUIET_ROUNDS} rounds in a row found nothing new`);
  }
  return results;
}

const pairs = selectPairs();
if (pairs.length === 0) {
  process.stderr.write("name two neighbors, such as 4.20 4.21, or --all\n");
  process.exit(2);
}
const results = await playRounds(pairs, Number(values.rounds));
if (results.flatMap(listDifferences).some(({ reason }) => reason === undefined)) process.exitCode = 1;
