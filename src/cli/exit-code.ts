import type { Report } from "../model/report.ts";
import { getUnknownRiskName } from "../model/check.ts";

export type FailOn = "never" | "risk" | "incomplete";

/** 3 where a real risk is not accepted, 4 where there is none but a check could not look and that isn't accepted, else 0. */
export function getExitCode(report: Report, accepted: ReadonlySet<string>, failOn: FailOn): 0 | 3 | 4 {
  if (failOn === "never") return 0;
  if (report.risks.some((risk) => !risk.unknown && !accepted.has(risk.name))) return 3;
  if (failOn === "risk") return 0;
  return report.checks.some((check) => check.outcome.kind === "unknown" && !accepted.has(getUnknownRiskName(check)))
    ? 4
    : 0;
}
