import type { Check, Context } from "../../model/check.ts";
import type { Gathered } from "../../model/read.ts";
import { findingsOf } from "../../model/report.ts";
import { type CoveredRisk, withSpecial } from "../../model/special-check.ts";
import type { RunCode } from "../plan/check-code.ts";
import type { CheckPlan } from "../plan/check-plan.ts";
import { buildUnknownOutcome, judge, type CheckVerdict } from "./judge.ts";
import { limitOutcome } from "./limit-outcome.ts";

export type JudgeInput = {
  readonly plans: readonly CheckPlan[];
  /** The verdicts of checks without a plan, from other processes, by the check's id. */
  readonly known?: ReadonlyMap<string, CheckVerdict>;
  readonly gathered: Gathered;
  readonly context: Context;
  readonly runCode: RunCode;
};

/**
 * Judges all plans, one at a time, and gives what `finish` makes of each verdict. A check that is judged last receives what all before it reported, those that are judged last included,
 * and what the others say of the risks that they cover.
 */
export function judgeAll<T>(input: JudgeInput, finish: (check: Check, verdict: CheckVerdict) => T): readonly T[] {
  const { plans, known, gathered, context, runCode } = input;
  const verdicts = new Map(known);
  const judgeEach = (some: readonly CheckPlan[], see: () => Context): readonly T[] => {
    const end = ({ check }: CheckPlan, verdict: CheckVerdict): T => {
      verdicts.set(check.id, { ...verdict, ...limitOutcome(check, verdict.outcome) });
      return finish(check, verdict);
    };
    return runCode(some, (plan) => end(plan, judge(plan, gathered, see()))).map(([plan, work]) =>
      work.kind === "done" ? work.value : end(plan, { outcome: buildUnknownOutcome([work.unknown]) }),
    );
  };
  const first = judgeEach(
    plans.filter(({ check }) => !check.special?.judgedLast),
    () => context,
  );
  const coveredRisks = context.special.coveredRisks.flatMap((covered) =>
    addNotice(covered, verdicts.get(covered.check)),
  );
  const last = judgeEach(
    plans.filter(({ check }) => check.special?.judgedLast),
    () =>
      withSpecial(context, {
        coveredRisks,
        reported: [...verdicts.values()].flatMap(({ outcome }) => findingsOf(outcome)),
      }),
  );
  return [...first, ...last];
}

/** A check that turns out not to apply to this cluster covers nothing that is published. */
function addNotice(covered: CoveredRisk, verdict: CheckVerdict | undefined): readonly CoveredRisk[] {
  if (covered.source === "published" && verdict?.outcome.kind === "notApplicable") return [];
  if (covered.risk !== undefined || verdict?.noticedRisks === undefined) return [covered];
  return [{ ...covered, hasNotice: verdict.noticedRisks.includes(covered.name) }];
}
