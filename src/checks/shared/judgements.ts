import type { Judgement } from "../../model/check.ts";
import { summarizeNames, MAX_NAMED } from "../../model/text.ts";

/** One judgement with the findings, notices and unknowns of all. */
export function mergeJudgements(judgements: readonly Judgement[]): Judgement {
  return {
    findings: judgements.flatMap(({ findings = [] }) => findings),
    notices: judgements.flatMap(({ notices = [] }) => notices),
    unknowns: judgements.flatMap(({ unknowns = [] }) => unknowns),
  };
}

/** The notice about these names, or none without any. `describe` gets "A, B, C and 4 more". */
export function buildNamesNotice(names: readonly string[], describe: (names: string) => string): readonly string[] {
  return names.length === 0 ? [] : [describe(summarizeNames(names))];
}

/** The first three findings as texts, each with an equal share of the length, and the number of the others: "A; B; C; and 4 more". */
export function summarizeTexts<T>(
  findings: readonly T[],
  maxLength: number,
  format: (finding: T, longest: number) => string,
): string {
  const first = findings.slice(0, MAX_NAMED);
  const longest = Math.floor(maxLength / first.length);
  const texts = first.map((finding) => format(finding, longest));
  const more = findings.length - first.length;
  return (more === 0 ? texts : [...texts, `and ${more} more`]).join("; ");
}
