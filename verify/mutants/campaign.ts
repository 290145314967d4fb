import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withTemporaryFolder } from "../shared/temporary-folder.ts";
import { type Equivalent, splitEquivalents } from "./equivalents.ts";
import { findMutants } from "./find-mutants.ts";
import { readImportGraph } from "./import-graph.ts";
import { instrument } from "./instrument.ts";
import type { LeftOut, Switch } from "./messages.ts";
import { type Mutant, formatMutant } from "./mutation.ts";
import { recordTests } from "./recorder.ts";
import { type Outcome, openTrials } from "./trials.ts";
import { type WorkerProcess, startWorker } from "./worker-process.ts";

export type CampaignSettings = {
  readonly root: string;
  /** Of the sources, relative to the root: src/publish. */
  readonly folder: string;
  /** Each N-th mutant, from the I-th one. */
  readonly share: { readonly index: number; readonly of: number };
  readonly seed: number;
  /** For the mutants, after the tests have run without one. */
  readonly seconds: number;
  /** The test files that may be asked. */
  readonly tests: readonly string[];
  readonly equivalents: readonly Equivalent[];
  /** Only the mutants that are printed so. */
  readonly only?: ReadonlySet<string>;
  /** Seconds of CPU after which a test does not end. */
  readonly patience?: number;
};

export type Judged = { readonly mutant: Mutant; readonly outcome: Outcome };
export type CampaignResult = {
  /** Of the whole folder, and those that were chosen and are no equivalents. */
  readonly found: number;
  readonly chosen: number;
  readonly judged: readonly Judged[];
  readonly equivalents: readonly Mutant[];
  readonly stale: readonly Equivalent[];
  readonly tests: number;
  readonly leftOut: readonly LeftOut[];
  /** What --case names and no source has. */
  readonly unknown: readonly string[];
};

const PATIENCE = 20;

/** `now`: milliseconds of any clock. */
export function runCampaign(
  settings: CampaignSettings,
  now: () => number,
  say: (line: string) => void,
): Promise<CampaignResult> {
  return withTemporaryFolder("mutants", (temporary) => runIn(temporary, settings, now, say));
}

async function runIn(
  temporary: string,
  settings: CampaignSettings,
  now: () => number,
  say: (line: string) => void,
): Promise<CampaignResult> {
  const { root, folder, only } = settings;
  const all = listMutants(root, folder);
  const { different, equivalents, stale } = splitEquivalents(all, settings.equivalents, folder);
  const chosen = choose(different, settings);
  const graph = readImportGraph(root);
  const files = settings.tests.filter((test) => [...graph.reach(test)].some((file) => file.startsWith(`${folder}/`)));
  const start = (on: Switch | null): WorkerProcess => startWorker({ root, folder, on }, temporary);
  let worker: WorkerProcess | undefined;
  const open = (): WorkerProcess => {
    if (worker?.isAlive() !== true) worker = start(null);
    return worker;
  };
  const close = async (): Promise<void> => worker?.end();
  const begun = now();
  const recorded = await recordTests(files, open);
  say(`${recorded.tests.length} tests of ${files.length} files, recorded in ${Math.round((now() - begun) / 1000)} s`);
  const trials = openTrials(recorded, graph, folder, { open, close, start, patience: settings.patience ?? PATIENCE });
  const judged = await judgeAll(chosen, trials.judge, now() + settings.seconds * 1000, now, say);
  await close();
  const printed = new Set(all.map(formatMutant));
  return {
    found: all.length,
    chosen: chosen.length,
    judged,
    equivalents,
    stale,
    tests: recorded.tests.length,
    leftOut: [...recorded.leftOut, ...trials.leftOut],
    unknown: [...(only ?? [])].filter((line) => !printed.has(line)),
  };
}

async function judgeAll(
  chosen: readonly Mutant[],
  judge: (mutant: Mutant) => Promise<Outcome>,
  end: number,
  now: () => number,
  say: (line: string) => void,
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const mutant of chosen) {
    if (now() > end) break;
    const outcome = await judge(mutant);
    judged.push({ mutant, outcome });
    if (outcome.kind !== "killed") say(`${outcome.kind}: ${formatMutant(mutant)}`);
  }
  return judged;
}

function listMutants(root: string, folder: string): readonly Mutant[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root })
    .filter((file) => !file.includes("/cases/") && !file.endsWith(".test.ts"))
    .toSorted()
    .flatMap((file) => {
      const source = findMutants(file, readFileSync(join(root, file), "utf8"));
      instrument(file, source);
      return source.mutants;
    });
}

/** In an order that the seed alone decides, so that what was judged when the time is up is a sample of all. */
function choose(mutants: readonly Mutant[], { share, seed, only }: CampaignSettings): readonly Mutant[] {
  const ranked = mutants.map((mutant) => ({ mutant, rank: rank(mutant, seed) }));
  const ordered = ranked.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ mutant }) => mutant);
  if (only !== undefined) return ordered.filter((mutant) => only.has(formatMutant(mutant)));
  return ordered.filter((_, index) => index % share.of === share.index - 1);
}

function rank(mutant: Mutant, seed: number): string {
  return createHash("sha256")
    .update(`${seed} ${mutant.number} ${formatMutant(mutant)}`)
    .digest("hex");
}
