import { getUnknownRiskName } from "../model/check.ts";
import { findMinorsBetween } from "../model/minors-between.ts";
import type { Report } from "../model/report.ts";
import type { View } from "./view.ts";

/** What a report means for the update. The exit code of `check` says the same: 3, 4, and 0 for the others. */
export type Decision = { readonly kind: "risk" | "incomplete" | "nothing" | "clear"; readonly words: string };

export function decide(report: Report, { accepted }: Pick<View, "accepted">): Decision {
  const found = report.risks.filter(({ unknown }) => !unknown);
  if (found.some(({ name }) => !accepted.has(name))) return { kind: "risk", words: "Don't update yet" };
  if (report.checks.some((check) => check.outcome.kind === "unknown" && !accepted.has(getUnknownRiskName(check))))
    return { kind: "incomplete", words: "Not decided: some checks could not be completed" };
  if (findMinorsBetween(report.source, report.target).length > 0)
    return { kind: "incomplete", words: "Not decided: only the last of several updates was checked" };
  if (report.checks.every(({ outcome }) => outcome.kind === "notApplicable"))
    return { kind: "nothing", words: "Nothing was checked" };
  return { kind: "clear", words: found.length > 0 ? "Only accepted risks were found" : "No risk was found" };
}
