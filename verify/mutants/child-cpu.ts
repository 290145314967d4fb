import { readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** Seconds of CPU that another process has taken; undefined where the system does not tell. */
export function readChildCpu(pid: number): number | undefined {
  try {
    // The name of the program, in parentheses, may have spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
