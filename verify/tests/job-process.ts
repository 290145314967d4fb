import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { FileCost, Job } from "./plan.ts";
import type { TestResult } from "./reporter.ts";

/** How a job ended. `output`: what its tests wrote to the terminal. */
export type JobResult = {
  readonly job: Job;
  readonly tests: readonly TestResult[];
  readonly costs: readonly FileCost[];
  readonly output: string;
  /** Why its process is a failure by itself. */
  readonly failure?: string;
};

export type JobOptions = {
  readonly folder: string;
  readonly flags: readonly string[];
  readonly minutes: number;
};

const BATCH = join(import.meta.dirname, "batch.ts");
const PROMISE_HOOKS = join(import.meta.dirname, "promise-hooks.ts");
const REPORTER = join(import.meta.dirname, "reporter.ts");
/** In MiB: no full garbage collection until a heap has this size. A part of the memory, since several processes run at once. */
const HEAP_MIB = Math.floor(totalmem() / 2 ** 20 / 24);
/**
 * Less CPU time where tests compute a lot, and none more elsewhere: a garbage collector without threads, which only move work, that runs
 * less often; no interpreter; no function compiled twice.
 */
const V8_FLAGS = [
  "--single-threaded-gc",
  `--initial-heap-size=${HEAP_MIB}`,
  "--min-semi-space-size=32",
  "--max-semi-space-size=32",
  "--always-sparkplug",
  "--no-flush-bytecode",
];

/** Runs a job in a process group of its own, which ends with it: nothing that a test started outlives it. */
export async function runJob(job: Job, id: number, options: JobOptions): Promise<JobResult> {
  const results = join(options.folder, `${id}.tests`);
  const costs = join(options.folder, `${id}.costs`);
  const flags = [
    "--disable-warning=ExperimentalWarning",
    ...V8_FLAGS,
    `--import=${PROMISE_HOOKS}`,
    `--test-reporter=${REPORTER}`,
    `--test-reporter-destination=${results}`,
    ...options.flags,
  ];
  const { code, output } = await runProcess(
    [...flags, BATCH, costs, ...job.files],
    options.minutes,
    join(options.folder, "code"),
  );
  const tests: readonly TestResult[] = readLines(results);
  const measured: readonly FileCost[] = readLines(costs);
  const failure = findFailure(job, code, tests, measured);
  return { job, tests, costs: measured, output, ...(failure === undefined ? {} : { failure }) };
}

/** The process groups of the jobs that run. */
const running = new Set<number>();

/** Ends every job with all that it started: nobody else would, since each has a group of its own. */
export function endAllJobs(): void {
  for (const pid of running) killGroup(pid, "SIGKILL");
}

type ProcessEnd = { readonly code: number | string; readonly output: string };

function runProcess(args: readonly string[], minutes: number, cache: string): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const env = { ...process.env, PREFLIGHT_CODE_CACHE: cache };
    const child = spawn(process.execPath, [...args], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const state = { output: "", late: false };
    const keep = (text: string): void => void (state.output += text);
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    const timer = setTimeout(() => {
      state.late = true;
      killGroup(child.pid, "SIGKILL");
    }, minutes * 60_000);
    const { pid } = child;
    if (pid !== undefined) running.add(pid);
    const end = (code: number | string): void => {
      clearTimeout(timer);
      if (pid !== undefined) running.delete(pid);
      resolve({ code: state.late ? `not done after ${minutes} minutes` : code, output: state.output });
    };
    child.on("error", (error) => end(error.message));
    // Not "close": a process that a test left behind would hold the streams open.
    child.on("exit", (code, signal) => {
      killGroup(child.pid, "SIGKILL");
      end(code ?? signal ?? "unknown");
    });
  });
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

/** A last line may not be whole if the process was killed. */
function readLines<T>(file: string): readonly T[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function findFailure(
  { files }: Job,
  code: number | string,
  tests: readonly TestResult[],
  costs: readonly FileCost[],
): string | undefined {
  const ended = new Set(costs.map(({ file }) => file));
  const open = files.filter((file) => !ended.has(file));
  if (code === 0 && open.length === 0) return undefined;
  if (code === 1 && tests.some(({ outcome }) => outcome === "failed")) return undefined;
  const where = open.length === 0 ? files.join(", ") : open.join(", ");
  return `the process of ${where} ended with ${code}`;
}
