/** Fuzzes what reads the input of others: `npm run fuzz -- --help`. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Outcome, type Settings, runTarget, runWorker } from "./fuzz/campaign.ts";
import { type PageRow, formatPage } from "./fuzz/page.ts";

const ROOT = join(import.meta.dirname, "..");
const TARGETS = join(ROOT, "tools/fuzz/targets");
const PAGE = join(ROOT, "docs/design/fuzzing.md");
const HELP = `Usage: npm run fuzz -- [FLAGS]

  --target NAME        only this target; may be repeated
  --seconds SECONDS    CPU time of each target (60)
  --executions NUMBER  executions of each target (no limit)
  --stale SECONDS      end a target after so much CPU time without a new branch (600)
  --seed NUMBER        of the random choices (1)
  --jobs NUMBER        targets at the same time (1)
  --memory MIB         memory that a target may take (1024)
  --corpus FOLDER      where inputs and findings are kept (dist/fuzz)
  --replay FILE        run one input, such as a finding, and print what it does
  --page               write docs/design/fuzzing.md from the last run of every target
`;
const HANG_SECONDS = 5;

const { values } = parseArgs({
  options: {
    target: { type: "string", multiple: true, default: [] },
    seconds: { type: "string", default: "60" },
    executions: { type: "string", default: "Infinity" },
    stale: { type: "string", default: "600" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "1" },
    memory: { type: "string", default: "1024" },
    corpus: { type: "string", default: join(ROOT, "dist/fuzz") },
    replay: { type: "string" },
    page: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
process.exitCode = await main();

async function main(): Promise<number> {
  if (values.help) return (say(HELP), 0);
  if (values.replay !== undefined) return replay(resolve(values.replay));
  const known = listTargets();
  const unknown = values.target.find((name) => !known.includes(name));
  if (unknown !== undefined) return (say(`There is no target ${unknown}: ${known.join(", ")}\n`), 2);
  const outcomes = await runAll(values.target.length > 0 ? values.target : known);
  if (values.page) writePage(known);
  return outcomes.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

function listTargets(): readonly string[] {
  return readdirSync(TARGETS)
    .map((file) => basename(file, ".ts"))
    .toSorted();
}

function say(text: string): void {
  process.stdout.write(text);
}

function buildSettings(): Settings {
  return {
    corpus: resolve(values.corpus),
    seed: Number(values.seed),
    limits: {
      executions: values.executions === "Infinity" ? Number.MAX_SAFE_INTEGER : Number(values.executions),
      cpuSeconds: Number(values.seconds),
      staleSeconds: Number(values.stale),
    },
    hangSeconds: HANG_SECONDS,
    memoryMib: Number(values.memory),
    say,
  };
}

async function runAll(targets: readonly string[]): Promise<readonly Outcome[]> {
  const settings = buildSettings();
  const waiting = [...targets];
  const outcomes: Outcome[] = [];
  const runNext = async (): Promise<void> => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      const outcome = await runTarget(target, join(TARGETS, `${target}.ts`), settings);
      outcomes.push(outcome);
      record(settings, outcome);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, runNext));
  return outcomes;
}

function record({ corpus }: Settings, outcome: Outcome): void {
  const { target, executions, branches, inputs, cpuSeconds, faults, endedBy } = outcome;
  const row: PageRow = { ...outcome, date: new Date().toISOString().slice(0, 10) };
  mkdirSync(join(corpus, target), { recursive: true });
  writeFileSync(join(corpus, target, "outcome.json"), JSON.stringify(row));
  say(
    `${target}: ${executions} executions in ${cpuSeconds.toFixed(0)} s of CPU, ${branches} branches, ${inputs} inputs, ${faults.length} findings (ended by ${endedBy})\n`,
  );
}

function writePage(targets: readonly string[]): void {
  const rows = targets.flatMap((target): readonly PageRow[] => {
    const path = join(resolve(values.corpus), target, "outcome.json");
    return existsSync(path) ? [JSON.parse(readFileSync(path, "utf8"))] : [];
  });
  writeFileSync(PAGE, formatPage(rows));
}

/** The folder of a finding is its target's, unless --target names it. */
async function replay(path: string): Promise<number> {
  const target = values.target[0] ?? basename(dirname(dirname(path)));
  const settings = { ...buildSettings(), replay: path };
  const state = { executions: 0, branches: 0, inputs: 0, cpuSeconds: 0, progressSeconds: 0, faults: [] };
  const folder = join(settings.corpus, target);
  const { leftover, fault } = await runWorker({ ...settings, file: join(TARGETS, `${target}.ts`), folder, state }, say);
  const text = fault ?? leftover.fault?.text;
  say(text === undefined ? "No fault.\n" : `${text}\n`);
  return text === undefined ? 0 : 1;
}
