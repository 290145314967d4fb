import { existsSync, readFileSync } from "node:fs";

const STAT = "/proc/self/stat";
const TICKS_PER_SECOND = 100;

/** Seconds of CPU that this process has used, with the children that it has waited for; without these where there is no /proc. */
export function measureCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + measureChildren();
}

function measureChildren(): number {
  if (!existsSync(STAT)) return 0;
  const stat = readFileSync(STAT, "utf8");
  const [childUser, childSystem] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(13, 15)
    .map(Number);
  return ((childUser ?? 0) + (childSystem ?? 0)) / TICKS_PER_SECOND;
}
