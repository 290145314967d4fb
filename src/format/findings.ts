import type { Finding } from "../model/check.ts";
import { byText } from "../model/json.ts";
import type { Outcome } from "../model/report.ts";
import { refKey } from "../model/resource.ts";

export function findingsOf(outcome: Outcome): readonly Finding[] {
  return outcome.kind === "risk" || outcome.kind === "unknown" ? outcome.findings : [];
}

export function noticesOf(outcome: Outcome): readonly string[] {
  return outcome.kind === "notApplicable" ? [] : [...new Set(outcome.notices)].toSorted(byText);
}

/** By object, path, risk and text. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings
    .map((one) => [[refKey(one.object), one.path ?? "", one.risk, one.message].join("\u0000"), one] as const)
    .toSorted(([a], [b]) => byText(a, b))
    .map(([, one]) => one);
}
