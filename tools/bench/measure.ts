import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { readChildren, readProcess } from "./process-memory.ts";

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
  let [peakMib, out] = [0, ""];
  const sampler = setInterval(() => (peakMib = Math.max(peakMib, readPeak(child.pid))), SAMPLE_MS);
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (out += text));
  const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  clearInterval(sampler);
  const seconds = (performance.now() - start) / 1_000;
  return { seconds, cpuSeconds: readEndedChildrenSeconds() - cpuBefore, peakMib, code, out };
}

/** The highest peak among a process and those below it, in MiB. */
function readPeak(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const own = Number(/^VmHWM:\s+(\d+) kB/m.exec(readProcess(pid, "status"))?.[1] ?? 0) / 1024;
  return Math.max(own, ...readChildren(pid).map(readPeak));
}

/** CPU of all children that have ended, with theirs. */
function readEndedChildrenSeconds(): number {
  const [, , user = 0, system = 0] = parseCpuTicks(readFileSync("/proc/self/stat", "utf8"));
  return (user + system) / TICKS_PER_SECOND;
}

/** Of /proc/PID/stat: user and system, and the same of children that have ended. The command's name may have spaces. */
export function parseCpuTicks(stat: string): readonly number[] {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).map(Number);
}

export function readCpuSeconds(pid: number): number {
  const [user = 0, system = 0] = parseCpuTicks(readProcess(pid, "stat"));
  return (user + system) / TICKS_PER_SECOND;
}
