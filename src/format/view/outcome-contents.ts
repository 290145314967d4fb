import { compareText } from "../../model/json.ts";
import type { CheckReport, Outcome } from "../../model/report.ts";

export function getNotices(outcome: Outcome): readonly string[] {
  return outcome.kind === "notApplicable" ? [] : [...new Set(outcome.notices)].toSorted(compareText);
}

export function isNotApplicable({ outcome }: CheckReport): boolean {
  return outcome.kind === "notApplicable";
}
