import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openInputs } from "./corpus.ts";
import { type LoopState, createState } from "./loop.ts";
import { minimize } from "./minimize.ts";
import { FILES, type Job, type Leftover } from "./job.ts";

export type FuzzSettings = Pick<Job, "seed" | "limits" | "hangSeconds" | "memoryMib"> & {
  /** Where each target has a folder. */
  readonly corpus: string;
  /** How often a target may hang or run out of memory in one run. */
  readonly maxEnds: number;
  readonly say: (text: string) => void;
};

export type FuzzOutcome = LoopState & { readonly target: string; readonly seed: number; readonly endedBy: string };

const MINIMIZE_TRIES = 15;
const WORKER = join(import.meta.dirname, "worker.ts");

/** Runs a target in a process of its own, which is started anew if an input ended it. */
export async function runTarget(target: string, file: string, settings: FuzzSettings): Promise<FuzzOutcome> {
  const folder = join(settings.corpus, target);
  let state = createState();
  for (let ends = 0; ends < settings.maxEnds; ends += 1) {
    const job = { ...settings, file, folder, seed: settings.seed + ends, state };
    const end = await runWorker(job, settings.say);
    // What was reached before counts again from nothing, since coverage ends with its process.
    state = { ...end.leftover.state, branches: 0 };
    if (end.fault === undefined)
      return { ...end.leftover.state, target, seed: settings.seed, endedBy: findEnd(end.leftover.state, settings) };
    state.faults.push(end.fault);
    await reportEnd(job, end.fault, settings.say);
  }
  return { ...state, target, seed: settings.seed, endedBy: "faults" };
}

function findEnd({ executions, cpuSeconds }: LoopState, { limits }: FuzzSettings): string {
  if (executions >= limits.executions) return "executions";
  return cpuSeconds >= limits.cpuSeconds ? "time" : "no new branch";
}

/** `fault`: why the process ended before its time. */
type End = { readonly leftover: Leftover; readonly fault?: string };

export async function runWorker(job: Job, say: (text: string) => void): Promise<End> {
  for (const file of Object.values(FILES)) rmSync(join(job.folder, file), { force: true });
  const { say: _say, ...data } = { say, ...job };
  const args = [`--max-old-space-size=${job.memoryMib}`, "--disable-warning=ExperimentalWarning", WORKER];
  const child = spawn(process.execPath, [...args, JSON.stringify(data)], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", say);
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-4000);
  });
  await new Promise((resolve) => {
    child.on("close", resolve);
  });
  const leftover = readLeftover(job);
  if (leftover === undefined) throw new Error(`${job.file} can't be run: ${errors}`);
  return leftover.isDone ? { leftover } : { leftover, fault: explainEnd(job, errors) };
}

function readLeftover({ folder }: Job): Leftover | undefined {
  const path = join(folder, FILES.leftover);
  if (!existsSync(path)) return undefined;
  const leftover: Leftover = JSON.parse(readFileSync(path, "utf8"));
  return leftover;
}

/** "hang", "memory", or the last thing that the process wrote. */
function explainEnd({ folder }: Job, errors: string): string {
  const path = join(folder, FILES.reason);
  if (existsSync(path)) return readFileSync(path, "utf8");
  if (errors.includes("heap out of memory")) return "memory: the heap is full";
  if (errors.includes("unsettled top-level await")) return "hang: it waits for what never comes";
  return `crash: ${errors.trim()}`;
}

/** Saves the input that ended a process, as small as some tries in further processes make it. */
async function reportEnd(job: Job, fault: string, say: (text: string) => void): Promise<void> {
  const findings = openInputs(join(job.folder, "findings"));
  const kind = fault.split(":")[0] ?? "";
  const input = readInput(job);
  const isSame = async (candidate: Buffer): Promise<boolean> => {
    const replay = join(job.folder, "running", "candidate");
    writeFileSync(replay, candidate);
    const end = await runWorker({ ...job, replay }, () => undefined);
    return end.fault?.split(":")[0] === kind;
  };
  const isReproduced = await isSame(input);
  const path = findings.add(isReproduced ? await minimize(input, isSame, MINIMIZE_TRIES) : input);
  writeFileSync(`${path}.txt`, `${fault}\n${isReproduced ? "" : "not reproduced by this input alone\n"}`);
  say(`${fault.slice(0, 600)}${isReproduced ? "" : " (not reproduced by this input alone)"}\n  replay: ${path}\n`);
}

function readInput({ folder }: Job): Buffer {
  const bytes = readFileSync(join(folder, FILES.input));
  return bytes.subarray(4, 4 + bytes.readUInt32LE(0));
}
