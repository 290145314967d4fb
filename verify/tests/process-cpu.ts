import { existsSync } from "node:fs";
import { readEndedChildrenSeconds } from "../bench/processes.ts";

/** Seconds of CPU that this process has used, with the children that it has waited for; without these where there is no /proc. */
export function measureCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + (existsSync("/proc/self/stat") ? readEndedChildrenSeconds() : 0);
}
