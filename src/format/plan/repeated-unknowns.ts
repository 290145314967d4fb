import type { Unknown } from "../../model/check.ts";
import type { CheckReport, Outcome, Report } from "../../model/report.ts";

/** A report without the unknowns that earlier reports have too, and the checks that had only such. */
export type NewUnknowns = { readonly report: Report; readonly repeatedChecks: readonly string[] };

/** One missing right makes the same check incomplete in every step; it is named in the first of them. */
export function omitRepeatedUnknowns(report: Report, earlier: readonly Report[]): NewUnknowns {
  const known = new Set(earlier.flatMap(({ checks }) => checks.flatMap(listKeys)));
  const checks = report.checks.map((check) => ({ check, outcome: omitUnknowns(check, known) }));
  const repeated = new Set(
    checks
      .filter(({ check, outcome }) => check.outcome.kind === "unknown" && outcome.kind !== "unknown")
      .map(({ check }) => check.id),
  );
  return {
    report: {
      ...report,
      checks: checks.map(({ check, outcome }) => ({ ...check, outcome })),
      risks: report.risks.filter(({ unknown, check }) => !unknown || !repeated.has(check)),
    },
    repeatedChecks: [...repeated],
  };
}

function omitUnknowns(check: CheckReport, known: ReadonlySet<string>): Outcome {
  const { id, outcome } = check;
  if (outcome.kind !== "unknown") return outcome;
  const unknowns = outcome.unknowns.filter((unknown) => !known.has(buildKey(id, unknown)));
  const { findings, notices } = outcome;
  return unknowns.length > 0 ? { ...outcome, unknowns } : { kind: "risk", findings, notices };
}

function listKeys({ id, outcome }: CheckReport): readonly string[] {
  return outcome.kind === "unknown" ? outcome.unknowns.map((unknown) => buildKey(id, unknown)) : [];
}

function buildKey(id: string, { reason, where }: Unknown): string {
  return `${id} ${reason} ${where}`;
}
