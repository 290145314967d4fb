import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import process from "node:process";

/** One run of a command with all processes that it started. `peakMib`: resident memory of the largest of them. */
export type MeasuredRun = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMib: number;
  readonly code: number | null;
  readonly out: string;
};

export type MeasuredCommand = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Output of hundreds of megabytes is thrown away. */
  readonly discardsOutput?: true;
};

const SAMPLE_MS = 20;
/** Of /proc: Linux counts in hundredths of a second on every platform that Node supports. */
const TICKS_PER_SECOND = 100;

/** Linux. Measures one run; no other child of this process may end meanwhile. */
export async function measure({ file, args, env = {}, discardsOutput }: MeasuredCommand): Promise<MeasuredRun> {
  const cpuBefore = readEndedChildrenSeconds();
  const start = performance.now();
  const child = spawn(file, [...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", discardsOutput ? "ignore" : "pipe", "ignore"],
  });
  let out = "";
  const takePeak = samplePeak(() => readLargest(child.pid ?? 0), SAMPLE_MS);
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (out += text));
  const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  const seconds = (performance.now() - start) / 1_000;
  return { seconds, cpuSeconds: readEndedChildrenSeconds() - cpuBefore, peakMib: takePeak(), code, out };
}

/** Looks at a figure again and again, until the returned function is called, which returns the highest. */
export function samplePeak(read: () => number, everyMs: number): () => number {
  let peak = 0;
  const sampler = setInterval(() => (peak = Math.max(peak, read())), everyMs);
  return () => {
    clearInterval(sampler);
    return peak;
  };
}

/** Linux. The highest peak of resident memory among a process and those below it, in MiB. */
function readLargest(pid: number): number {
  return Math.max(readPeakMib(pid), ...readChildren(pid).map(readLargest));
}

/** Linux. Memory of a process and those below it in MiB, as proportional set size: pages that several processes share count once. */
export function readMemory(pid: number): number {
  return readChildren(pid).reduce((sum, child) => sum + readMemory(child), readMib(pid, "smaps_rollup", "Pss"));
}

export function readPeakMib(pid: number): number {
  return readMib(pid, "status", "VmHWM");
}

export function readCpuSeconds(pid: number): number {
  const [user = 0, system = 0] = parseCpuTicks(readProcess(pid, "stat"));
  return (user + system) / TICKS_PER_SECOND;
}

/** CPU of a process and those below it, also of those that have ended and were waited for. */
export function readTreeCpuSeconds(pid: number): number {
  const own = parseCpuTicks(readProcess(pid, "stat")).reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
  return readChildren(pid).reduce((sum, child) => sum + readTreeCpuSeconds(child), own);
}

/** CPU of all children that have ended, with theirs. */
export function readEndedChildrenSeconds(): number {
  const [, , user = 0, system = 0] = parseCpuTicks(readFileSync("/proc/self/stat", "utf8"));
  return (user + system) / TICKS_PER_SECOND;
}

/** Of /proc/PID/stat: user and system, and the same of children that have ended. The command's name may have spaces. */
export function parseCpuTicks(stat: string): readonly number[] {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).map(Number);
}

export function readChildren(pid: number): readonly number[] {
  return readProcess(pid, `task/${pid}/children`).split(" ").filter(Boolean).map(Number);
}

function readMib(pid: number, file: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(readProcess(pid, file))?.[1] ?? 0) / 1024;
}

/** A file of /proc/PID; empty once the process has ended. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
