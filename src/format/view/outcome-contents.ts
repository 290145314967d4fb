import type { Finding } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import type { Outcome } from "../../model/report.ts";

export function findingsOf(outcome: Outcome): readonly Finding[] {
  return outcome.kind === "risk" || outcome.kind === "unknown" ? outcome.findings : [];
}

export function getNotices(outcome: Outcome): readonly string[] {
  return outcome.kind === "notApplicable" ? [] : [...new Set(outcome.notices)].toSorted(compareText);
}
