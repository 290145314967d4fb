import { type Comparison, isLessKnown, isWorse } from "../../format/comparison/comparison.ts";
import type { TargetResult } from "../../format/side-by-side/side-by-side.ts";
import type { CrdsReport } from "../../model/crd-changes.ts";
import type { FleetMatrix } from "../../model/fleet.ts";
import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { parseTargetVersion } from "../../model/target-version.ts";
import { selectOpenUnseen } from "../../model/unseen.ts";
import type { LoopResult } from "../../runner/loop.ts";

export type FailOn = "never" | "risk" | "incomplete";

/** Of `check`: 3 for an unaccepted risk, else 4 if something was not seen and that is not accepted; else 0. */
export function getCheckExitCode(report: Report, accepted: ReadonlySet<string>, failOn: FailOn): 0 | 3 | 4 {
  if (failOn === "never") return 0;
  if (report.risks.some((risk) => !risk.unknown && !accepted.has(risk.name))) return 3;
  if (failOn === "risk") return 0;
  return selectOpenUnseen(report, accepted).length > 0 ? 4 : 0;
}

/** Of `check` with several targets: that of the worst. One that could not be checked makes the result incomplete. */
export function getSideBySideExitCode(targets: readonly TargetResult[], failOn: FailOn): 0 | 3 | 4 {
  if (failOn === "never") return 0;
  const codes = targets.map((target) =>
    target.kind === "checked" ? getCheckExitCode(target.report, target.accepted, failOn) : 4,
  );
  if (codes.includes(3)) return 3;
  return failOn === "incomplete" && codes.includes(4) ? 4 : 0;
}

/** Of `plan`, with the same meaning; `accepted` is by step. Incomplete if a step was not checked, or if one of its checks could not complete. */
export function getPlanExitCode({ steps }: Plan, accepted: readonly ReadonlySet<string>[], failOn: FailOn): 0 | 3 | 4 {
  if (failOn === "never") return 0;
  const codes = steps.map(({ result }, i) =>
    result.kind === "checked" ? getCheckExitCode(result.report, accepted[i] ?? new Set(), failOn) : 4,
  );
  if (codes.includes(3)) return 3;
  return failOn === "incomplete" && codes.includes(4) ? 4 : 0;
}

/** Of `fleet`, with the same meaning: a cluster without a current and complete result is incomplete. */
export function getFleetExitCode({ counts }: Pick<FleetMatrix, "counts">, failOn: FailOn): 0 | 3 | 4 {
  if (failOn === "never") return 0;
  if (counts.risk > 0) return 3;
  const { failed, invalid, stale, running, incomplete } = counts;
  return failOn === "incomplete" && failed + invalid + stale + running + incomplete > 0 ? 4 : 0;
}

/** Of `compare`: 3 if an unaccepted risk is new or worse, else 4 if less is known than before; else 0. */
export function getComparisonExitCode(comparison: Comparison, failOn: FailOn): 0 | 3 | 4 {
  if (failOn === "never") return 0;
  if (comparison.risks.some(isWorse)) return 3;
  return failOn === "incomplete" && isLessKnown(comparison) ? 4 : 0;
}

/** Of `crds`: 3 if a change breaks something, else 4 if something could not be judged; else 0. */
export function getCrdsExitCode({ changes, unknowns }: CrdsReport, failOn: FailOn): 0 | 3 | 4 {
  if (failOn === "never") return 0;
  if (changes.length > 0) return 3;
  return failOn === "incomplete" && unknowns.length > 0 ? 4 : 0;
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

/** Of a command whose child process exited before it began: nothing was seen then, whatever the child's code says. */
export function getChildExitCode(code: number): 1 | 2 {
  return code === 2 ? 2 : 1;
}
