import type { Judgement } from "../../model/check.ts";

/** One judgement with the findings, notices and unknowns of all. */
export function mergeJudgements(judgements: readonly Judgement[]): Judgement {
  return {
    findings: judgements.flatMap(({ findings = [] }) => findings),
    notices: judgements.flatMap(({ notices = [] }) => notices),
    unknowns: judgements.flatMap(({ unknowns = [] }) => unknowns),
  };
}
