import { formatCount } from "../format/count.ts";
import type { Acceptance, JudgedAcceptance } from "../model/acceptance.ts";
import { summarizeNames } from "../model/names.ts";
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
export function warnOfAcceptances(judged: readonly JudgedAcceptance[], { risks }: Report, io: Io): void {
  const known = [...listCheckRiskNames(), ...risks.map(({ name }) => name)];
  for (const one of judged) {
    const problem = describeProblem(one, known);
    const origin = one.acceptance.reason === undefined ? "--accept" : "accept";
    if (problem !== undefined) io.err(`preflight: ${origin}: ${toLine(problem)}\n`);
  }
}

function describeProblem({ acceptance, state }: JudgedAcceptance, known: readonly string[]): string | undefined {
  const { risk, until, reason } = acceptance;
  if (!known.includes(risk)) return describeUnknownName(risk, known);
  switch (state.kind) {
    case "accepted":
      return undefined;
    case "lapsed":
      return `${risk} was accepted until ${until} and counts again: renew or remove the entry`;
    case "unmatched":
      return reason === undefined
        ? undefined
        : `${risk} accepts nothing that was found: remove the entry if it is no longer needed`;
    case "exceeded":
      return `${risk} is not accepted, because it also concerns ${formatCount(state.objects.length, "object")} that no entry names: ${summarizeNames(state.objects)}`;
  }
}
