import { getUnknownRiskName } from "../model/check.ts";
import type { Report } from "../model/report.ts";
import { parseTargetVersion } from "../model/target-version.ts";
import type { LoopResult } from "../runner/loop.ts";

export type FailOn = "never" | "risk" | "incomplete";

/** Of `check`: 3 for an unaccepted risk, else 4 for a check that could not complete and is not accepted, else 0. */
export function getCheckExitCode(report: Report, accepted: ReadonlySet<string>, failOn: FailOn): 0 | 3 | 4 {
  if (failOn === "never") return 0;
  if (report.risks.some((risk) => !risk.unknown && !accepted.has(risk.name))) return 3;
  if (failOn === "risk") return 0;
  return report.checks.some((check) => check.outcome.kind === "unknown" && !accepted.has(getUnknownRiskName(check)))
    ? 4
    : 0;
}

/** Of the runner: a signal is a normal end. A run of one cycle succeeds if the cycle completed and its document was written. */
export function getRunnerExitCode(
  end: LoopResult,
  isLastCycleCompleted: boolean,
  targetVersion: string | undefined,
): 0 | 1 | 2 {
  if (end === "stopped") return 0;
  if (targetVersion !== undefined && parseTargetVersion(targetVersion) === undefined) return 2;
  return end === "published" && isLastCycleCompleted ? 0 : 1;
}
