import { formatAcceptanceProblem, judgeAcceptances } from "../../format/view/acceptances.ts";
import type { Acceptance, CheckAcceptance, JudgedAcceptance } from "../../model/unseen.ts";
import { formatDidYouMean } from "../../model/text.ts";
import type { CheckReport, Report } from "../../model/report.ts";
import type { Io } from "../io/io.ts";
import { type CheckSetValues, listKnownChecks } from "../checks/check-set.ts";
import { describeUnknownName, listCheckRiskNames } from "../checks/risk-names.ts";
import type { ConfigValues } from "../settings/config-file.ts";
import { toLine } from "../../model/visible-text.ts";

export type AcceptanceValues = ConfigValues & { readonly accept: readonly string[] };
/** With the checks whose names may be accepted. */
export type JudgingValues = AcceptanceValues & CheckSetValues;

/** The acceptances of the flag and of the configuration file. */
export function collectAcceptances({ accept, config }: AcceptanceValues): readonly Acceptance[] {
  return [...accept.map((risk) => ({ risk })), ...(config?.accept ?? [])];
}

/** Of a target or a step that could not be checked, there is none. */
type Reports = readonly (Report | undefined)[];

/** Judges the acceptances for each report, whose objects may differ, and says on stderr which hold in none. */
export function judgeReports(
  reports: Reports,
  values: JudgingValues,
  io: Io,
): readonly (readonly JudgedAcceptance[])[] {
  const acceptances = collectAcceptances(values);
  const judged = reports.map((report) => (report === undefined ? [] : judgeAcceptances(acceptances, report)));
  const risks = reports.flatMap((report) => report?.risks ?? []);
  const known = [...listCheckRiskNames(listKnownChecks(values.checkSet)), ...risks.map(({ name }) => name)];
  warnOfAcceptances(combineJudgements(judged), known, io);
  return judged;
}

/** One judgement for each acceptance: one that accepts nothing in one report may do so in another. */
function combineJudgements(all: readonly (readonly JudgedAcceptance[])[]): readonly JudgedAcceptance[] {
  const [first = [], ...others] = all.filter((judged) => judged.length > 0);
  return first.map((one, i) => {
    const same = [one, ...others.flatMap((judged) => judged[i] ?? [])];
    const isProblem = ({ state }: JudgedAcceptance) => state.kind !== "unmatched" && state.kind !== "accepted";
    return same.find(isProblem) ?? same.find(({ state }) => state.kind === "accepted") ?? one;
  });
}

/** That a named risk was not found is normal; a name that no risk has is misspelt. */
function warnOfAcceptances(judged: readonly JudgedAcceptance[], known: readonly string[], io: Io): void {
  for (const one of judged) {
    const problem = describeProblem(one, known);
    const origin = one.acceptance.reason === undefined ? "--accept" : "accept";
    if (problem !== undefined) io.err(`preflight: ${origin}: ${toLine(problem)}\n`);
  }
}

/** Says on stderr which acceptances of left-out checks do nothing. One whose last day is over has its check counted as left out. */
export function warnOfCheckAcceptances(
  reports: Reports,
  { config, checkSet }: ConfigValues & CheckSetValues,
  io: Io,
): void {
  const ids = listKnownChecks(checkSet).map(({ id }) => id);
  const reported = reports.flatMap((report) => report?.checks ?? []);
  for (const acceptance of config?.acceptChecks ?? []) {
    const own = reported.filter(({ id }) => id === acceptance.check);
    const problem = describeCheckProblem(acceptance, own, ids);
    if (problem !== undefined) io.err(`preflight: accept: ${toLine(problem)}\n`);
  }
}

function describeCheckProblem(
  { check, until }: CheckAcceptance,
  own: readonly CheckReport[],
  ids: readonly string[],
): string | undefined {
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
