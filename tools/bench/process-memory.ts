import { readFileSync } from "node:fs";

/** Linux. Memory of a process and its children in MiB, as proportional set size: pages that several processes share count once. */
export function readMemory(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(readProcess(pid, "smaps_rollup"))?.[1] ?? 0) / 1024;
  const children = readProcess(pid, `task/${pid}/children`).split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + readMemory(Number(child)), own);
}

/** Empty once the process has ended. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
