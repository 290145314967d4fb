import { sortNames } from "../../model/names.ts";
import type { Report } from "../../model/report.ts";
import type { Unseen } from "../../model/unseen.ts";

/** A report without what earlier reports did not see either, and the checks that missed only such. */
export type NewUnknowns = { readonly report: Report; readonly repeatedChecks: readonly string[] };

/** One missing right makes the same check incomplete in every step; it is named in the first of them. */
export function omitRepeatedUnknowns(report: Report, earlier: readonly Report[]): NewUnknowns {
  const known = new Set(earlier.flatMap(({ unseen }) => unseen.map(buildKey)));
  const unseen = report.unseen.filter((one) => !known.has(buildKey(one)));
  const reported = new Set(unseen.map(({ risk }) => risk));
  const own = new Set(unseen.map(({ check }) => check));
  return {
    report: { ...report, unseen, risks: report.risks.filter(({ unknown, name }) => !unknown || reported.has(name)) },
    repeatedChecks: sortNames(
      report.unseen.flatMap(({ check }) => (check === undefined || own.has(check) ? [] : check)),
    ),
  };
}

function buildKey({ check = "", unknown: { reason, where } }: Unseen): string {
  return `${check} ${reason} ${where}`;
}
