/** A thread beside the one that fuzzes: ends the process if an execution takes too long or too much memory, or if nobody waits for it. */
import { writeFileSync } from "node:fs";
import { workerData } from "node:worker_threads";
import type { Watch } from "./job.ts";

const POLL_MS = 100;
/** A promise that waits for something takes no CPU. */
const MAX_WAIT_MS = 60_000;
const { counter, reasonFile, hangSeconds, memoryMib }: Watch = workerData;

const parent = process.ppid;
let execution = -1;
let start = 0;
let startCpu = 0;
for (;;) {
  Atomics.wait(counter, 0, Atomics.load(counter, 0), POLL_MS);
  const current = Atomics.load(counter, 0);
  const cpu = readCpu();
  if (current !== execution) [execution, start, startCpu] = [current, performance.now(), cpu];
  if (process.ppid !== parent) end("the parent is gone");
  const mib = process.memoryUsage.rss() / 2 ** 20;
  if (mib > memoryMib) end(`memory: ${mib.toFixed(0)} MiB`);
  if (cpu - startCpu > hangSeconds) end(`hang: ${(cpu - startCpu).toFixed(1)} s of CPU`);
  if (performance.now() - start > MAX_WAIT_MS) end(`hang: nothing after ${MAX_WAIT_MS / 1000} s`);
}

function readCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function end(reason: string): void {
  writeFileSync(reasonFile, reason);
  process.kill(process.pid, "SIGKILL");
}
