/** Fuzzes what reads the input of others: `npm run fuzz -- --help`. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type FuzzOutcome, type FuzzSettings, runTarget, runWorker } from "./fuzz/campaign.ts";
import { createState } from "./fuzz/loop.ts";
import { type PageRow, withRuns } from "./fuzz/page.ts";
import { COMMON, requireFlags } from "./shared/flags.ts";
import { formatError } from "../src/model/errors.ts";

const ROOT = join(import.meta.dirname, "..");
const TARGETS = join(ROOT, "verify/fuzz/targets");
const PAGE = join(ROOT, "docs/design/fuzzing.md");
const HANG_SECONDS = 5;
const MAX_ENDS = 3;

function parseFlags() {
  const number = (value: string, help: string) => ({ type: "string", default: value, help }) as const;
  const { values } = requireFlags({
    command: "npm run fuzz --",
    about: "Gives what others wrote, changed at random, to everything that reads it.",
    flags: {
      target: { type: "string", multiple: true, default: [], help: "only this target; may be repeated" },
      executions: number(`${Number.MAX_SAFE_INTEGER}`, "of each target; 0 runs none"),
      stale: number("600", "end a target after so much CPU time without a new branch"),
      jobs: number("1", "targets at the same time"),
      memory: number("1024", "MiB that a target may take"),
      corpus: { type: "string", default: "dist/fuzz", help: "the folder of inputs and findings" },
      seed: COMMON.seed,
      seconds: { ...COMMON.seconds, default: "60", help: "CPU time of each target" },
      write: { ...COMMON.write, help: "write the page from the last run of every target" },
      case: { ...COMMON.case, help: "run one input, such as a finding, and print what it does" },
    },
  });
  const unknown = values.target.find((name) => !listTargets().includes(name));
  if (unknown !== undefined) throw new Error(`there is no target ${unknown}: ${listTargets().join(", ")}`);
  return { ...values, corpus: resolve(ROOT, values.corpus) };
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
  if (flags.case !== undefined) return replay(resolve(flags.case), flags);
  const outcomes = flags.executions === "0" ? [] : await runAll(flags);
  if (flags.write) writePage(flags);
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
