import { formatAcceptanceProblem } from "../../format/view/acceptances.ts";
import { checks } from "../../checks/index.ts";
import type { Acceptance, CheckAcceptance, JudgedAcceptance } from "../../model/acceptance.ts";
import { formatDidYouMean } from "../../model/nearest-name.ts";
import type { CheckReport, Report } from "../../model/report.ts";
import type { Io } from "../io/io.ts";
import { describeUnknownName, listCheckRiskNames } from "../checks/risk-names.ts";
import { toLine } from "../../model/visible-text.ts";

/** The acceptances of the flag and of the configuration file. */
export function collectAcceptances(
  names: readonly string[],
  accept: readonly Acceptance[] = [],
): readonly Acceptance[] {
  return [...names.map((risk) => ({ risk })), ...accept];
}

/** Says on stderr which acceptances do not hold. That a named risk was not found is normal; a name that no risk has is misspelt. */
export function warnOfAcceptances(judged: readonly JudgedAcceptance[], { risks }: Pick<Report, "risks">, io: Io): void {
  const known = [...listCheckRiskNames(), ...risks.map(({ name }) => name)];
  for (const one of judged) {
    const problem = describeProblem(one, known);
    const origin = one.acceptance.reason === undefined ? "--accept" : "accept";
    if (problem !== undefined) io.err(`preflight: ${origin}: ${toLine(problem)}\n`);
  }
}

/** Says on stderr which acceptances of left-out checks do nothing. One whose last day is over has its check counted as left out. */
export function warnOfCheckAcceptances(
  acceptances: readonly CheckAcceptance[],
  reports: readonly Pick<Report, "checks">[],
  io: Io,
): void {
  const reported = reports.flatMap((report) => report.checks);
  for (const acceptance of acceptances) {
    const problem = describeCheckProblem(
      acceptance,
      reported.filter(({ id }) => id === acceptance.check),
    );
    if (problem !== undefined) io.err(`preflight: accept: ${toLine(problem)}\n`);
  }
}

function describeCheckProblem({ check, until }: CheckAcceptance, own: readonly CheckReport[]): string | undefined {
  const ids = checks.map(({ id }) => id);
  if (!ids.includes(check)) return `no check has the id ${check}${formatDidYouMean(check, ids)}`;
  const applicable = own.filter(({ outcome }) => outcome.kind !== "notApplicable");
  if (applicable.some(({ leftOut }) => leftOut !== undefined && leftOut.accepted === undefined))
    return `leaving out ${check} was accepted until ${until} and counts again: renew or remove the entry`;
  const isRun = applicable.some(({ leftOut }) => leftOut === undefined);
  return isRun ? `${check} was not left out: the entry does nothing without --skip ${check}` : undefined;
}

function describeProblem(judged: JudgedAcceptance, known: readonly string[]): string | undefined {
  const { risk } = judged.acceptance;
  return known.includes(risk) ? formatAcceptanceProblem(judged) : describeUnknownName(risk, known);
}
