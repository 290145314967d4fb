import type { Finding, Unknown } from "../../../model/check.ts";
import type { CheckReport, Outcome, Report } from "../../../model/report.ts";
import { formatRef } from "../../../model/resource.ts";

/** The ids of checks whose verdict differs between two reports: another outcome, or other objects. Texts may differ. */
export function listDifferentVerdicts(one: Report, other: Report): readonly string[] {
  const verdicts = new Map(other.checks.map((check) => [check.id, formatVerdict(check)]));
  return one.checks.filter((check) => verdicts.get(check.id) !== formatVerdict(check)).map(({ id }) => id);
}

function formatVerdict({ outcome }: CheckReport): string {
  return [outcome.kind, ...listParts(outcome)].join("\n");
}

function listParts(outcome: Outcome): readonly string[] {
  if (outcome.kind === "risk") return outcome.findings.map(formatFinding);
  if (outcome.kind !== "unknown") return [];
  return [...outcome.findings.map(formatFinding), ...outcome.unknowns.map(formatUnknown)];
}

function formatFinding({ risk, object, path }: Finding): string {
  return `${risk} ${object.apiVersion} ${formatRef(object)} ${path ?? ""}`;
}

function formatUnknown({ reason, where }: Unknown): string {
  return `${reason} ${where}`;
}
