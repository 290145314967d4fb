import { readFileSync } from "node:fs";

/** Linux. Memory of a process and its children in MiB, as proportional set size: pages that several processes share count once. */
export function readMemory(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(readProcess(pid, "smaps_rollup"))?.[1] ?? 0) / 1024;
  return readChildren(pid).reduce((sum, child) => sum + readMemory(child), own);
}

export function readChildren(pid: number): readonly number[] {
  return readProcess(pid, `task/${pid}/children`).split(" ").filter(Boolean).map(Number);
}

/** A file of /proc/PID; empty once the process has ended. */
export function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
