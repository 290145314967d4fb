/** Fuzzes what reads the input of others: `npm run fuzz -- --help`. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type FuzzOutcome, type FuzzSettings, runTarget, runWorker } from "./fuzz/campaign.ts";
import { createState } from "./fuzz/loop.ts";
import { type PageRow, withRuns } from "./fuzz/page.ts";
import { formatError } from "../src/model/errors.ts";

const ROOT = join(import.meta.dirname, "..");
const TARGETS = join(ROOT, "verify/fuzz/targets");
const PAGE = join(ROOT, "docs/design/fuzzing.md");
const HELP = `Usage: npm run fuzz -- [FLAGS]

  --target NAME        only this target; may be repeated
  --seconds SECONDS    CPU time of each target (60)
  --executions NUMBER  executions of each target; 0 runs none (no limit)
  --stale SECONDS      end a target after so much CPU time without a new branch (600)
  --seed NUMBER        of the random choices (1)
  --jobs NUMBER        targets at the same time (1)
  --memory MIB         memory that a target may take (1024)
  --corpus FOLDER      where inputs and findings are kept (dist/fuzz)
  --replay FILE        run one input, such as a finding, and print what it does
  --page               write docs/design/fuzzing.md from the last run of every target

Exits with 0 if nothing was found, with 1 if something was, and with 2 if a flag is wrong.
`;
const NUMBERS = ["seconds", "executions", "stale", "seed", "jobs", "memory"] as const;
const HANG_SECONDS = 5;
const MAX_ENDS = 3;

function parseFlags() {
  const number = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArgs({
    options: {
      target: { type: "string", multiple: true, default: [] },
      seconds: number("60"),
      executions: number(`${Number.MAX_SAFE_INTEGER}`),
      stale: number("600"),
      seed: number("1"),
      jobs: number("1"),
      memory: number("1024"),
      corpus: { type: "string", default: join(ROOT, "dist/fuzz") },
      replay: { type: "string" },
      page: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const wrong = NUMBERS.find((name) => !/^\d+$/.test(values[name]));
  if (wrong !== undefined) throw new Error(`--${wrong} is not a number: ${values[wrong]}`);
  const unknown = values.target.find((name) => !listTargets().includes(name));
  if (unknown !== undefined) throw new Error(`there is no target ${unknown}: ${listTargets().join(", ")}`);
  return { ...values, corpus: resolve(values.corpus) };
}

type Flags = ReturnType<typeof parseFlags>;

async function main(): Promise<number> {
  let flags: Flags;
  try {
    flags = parseFlags();
  } catch (thrown) {
    process.stderr.write(`${formatError(thrown)}\n`);
    return 2;
  }
  if (flags.help) say(HELP);
  if (flags.help) return 0;
  if (flags.replay !== undefined) return replay(resolve(flags.replay), flags);
  const outcomes = flags.executions === "0" ? [] : await runAll(flags);
  if (flags.page) writePage(flags);
  return outcomes.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

function listTargets(): readonly string[] {
  return readdirSync(TARGETS)
    .map((file) => basename(file, ".ts"))
    .toSorted();
}

function getFile(target: string): string {
  return join(TARGETS, `${target}.ts`);
}

function say(text: string): void {
  process.stdout.write(text);
}

function buildSettings({ corpus, seed, executions, seconds, stale, memory }: Flags): FuzzSettings {
  const limits = { executions: Number(executions), cpuSeconds: Number(seconds), staleSeconds: Number(stale) };
  const bounds = { hangSeconds: HANG_SECONDS, memoryMib: Number(memory), maxEnds: MAX_ENDS };
  return { corpus, seed: Number(seed), limits, ...bounds, say };
}

async function runAll(flags: Flags): Promise<readonly FuzzOutcome[]> {
  const settings = buildSettings(flags);
  const waiting = flags.target.length > 0 ? [...flags.target] : [...listTargets()];
  const outcomes: FuzzOutcome[] = [];
  const runNext = async (): Promise<void> => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      const outcome = await runTarget(target, getFile(target), settings);
      outcomes.push(outcome);
      record(settings, outcome);
    }
  };
  await Promise.all(Array.from({ length: Number(flags.jobs) }, runNext));
  return outcomes;
}

function record({ corpus }: FuzzSettings, outcome: FuzzOutcome): void {
  const { target, executions, branches, inputs, cpuSeconds, faults, endedBy } = outcome;
  const row: PageRow = { ...outcome, date: new Date().toISOString().slice(0, 10) };
  mkdirSync(join(corpus, target), { recursive: true });
  writeFileSync(join(corpus, target, "outcome.json"), JSON.stringify(row));
  say(
    `${target}: ${executions} executions in ${cpuSeconds.toFixed(0)} s of CPU, ${branches} branches, ${inputs} inputs, ${faults.length} findings (ended by ${endedBy})\n`,
  );
}

function writePage({ corpus }: Flags): void {
  const rows = listTargets().flatMap((target): readonly PageRow[] => {
    const path = join(corpus, target, "outcome.json");
    return existsSync(path) ? [JSON.parse(readFileSync(path, "utf8"))] : [];
  });
  writeFileSync(PAGE, withRuns(readFileSync(PAGE, "utf8"), rows));
}

/** The folder of a finding is its target's, unless --target names it. */
async function replay(path: string, flags: Flags): Promise<number> {
  const target = flags.target[0] ?? basename(dirname(dirname(path)));
  if (!listTargets().includes(target)) {
    process.stderr.write(`${path} is not in the folder of a target: name it with --target\n`);
    return 2;
  }
  const { say: _say, ...settings } = buildSettings(flags);
  const folder = join(flags.corpus, "replay");
  const job = { ...settings, file: getFile(target), folder, state: createState(), replay: path };
  const { leftover, fault } = await runWorker(job, say);
  const text = fault ?? leftover.fault?.text;
  say(text === undefined ? "No fault.\n" : `${text}\n`);
  return text === undefined ? 0 : 1;
}

process.exitCode = await main();
