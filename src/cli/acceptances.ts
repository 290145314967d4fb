import { formatAcceptanceProblem } from "../format/acceptances.ts";
import type { Acceptance, JudgedAcceptance } from "../model/acceptance.ts";
import type { Report } from "../model/report.ts";
import type { Io } from "./io.ts";
import { describeUnknownName, listCheckRiskNames } from "./risk-names.ts";
import { toLine } from "./terminal-text.ts";

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

function describeProblem(judged: JudgedAcceptance, known: readonly string[]): string | undefined {
  const { risk } = judged.acceptance;
  return known.includes(risk) ? formatAcceptanceProblem(judged) : describeUnknownName(risk, known);
}
