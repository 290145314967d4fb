import type { FleetVerdict } from "../../format/fleet/cluster.ts";

export type FailOn = "never" | "risk" | "incomplete";

/** 3 if one verdict is an unaccepted risk, else 4 if one is about less than everything; else 0. */
export function getExitCode(verdicts: readonly FleetVerdict[], failOn: FailOn): 0 | 3 | 4 {
  if (failOn === "never") return 0;
  if (verdicts.includes("risk")) return 3;
  return failOn === "risk" || verdicts.every((verdict) => verdict === "clear" || verdict === "updated") ? 0 : 4;
}

export function toVerdict(hasRisk: boolean, isIncomplete: boolean): FleetVerdict {
  if (hasRisk) return "risk";
  return isIncomplete ? "incomplete" : "clear";
}

/** Of a command whose child process exited before it began: nothing was seen then, whatever the child's code says. */
export function getChildExitCode(code: number): 1 | 2 {
  return code === 2 ? 2 : 1;
}
