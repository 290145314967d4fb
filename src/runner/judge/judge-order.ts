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
 * Judges all plans, one at a time. A check that is judged last receives what all before it reported, those that are judged last included,
 * and what the others say of the risks that they cover.
 */
export function* judgeAll(input: JudgeInput): Generator<readonly [Check, CheckVerdict], void> {
  const { plans, known, gathered, context, runCode } = input;
  const verdicts = new Map(known);
  const judgePlan = (plan: CheckPlan, seen: Context): readonly [Check, CheckVerdict] => {
    const work = runCode(plan.check, () => judge(plan, gathered, seen));
    const verdict = work.kind === "done" ? work.value : { outcome: buildUnknownOutcome([work.unknown]) };
    verdicts.set(plan.check.id, { ...verdict, ...limitOutcome(plan.check, verdict.outcome) });
    return [plan.check, verdict];
  };
  for (const plan of plans.filter(({ check }) => !check.special?.judgedLast)) yield judgePlan(plan, context);
  const coveredRisks = context.special.coveredRisks.flatMap((covered) =>
    addNotice(covered, verdicts.get(covered.check)),
  );
  for (const plan of plans.filter(({ check }) => check.special?.judgedLast)) {
    const reported = [...verdicts.values()].flatMap(({ outcome }) => findingsOf(outcome));
    yield judgePlan(plan, withSpecial(context, { coveredRisks, reported }));
  }
}

/** A check that turns out not to apply to this cluster covers nothing that is published. */
function addNotice(covered: CoveredRisk, verdict: CheckVerdict | undefined): readonly CoveredRisk[] {
  if (covered.source === "published" && verdict?.outcome.kind === "notApplicable") return [];
  if (covered.risk !== undefined || verdict?.noticedRisks === undefined) return [covered];
  return [{ ...covered, hasNotice: verdict.noticedRisks.includes(covered.name) }];
}
