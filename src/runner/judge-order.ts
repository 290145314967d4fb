import type { Check, Context, Finding } from "../model/check.ts";
import type { Read } from "../model/read.ts";
import type { Outcome } from "../model/report.ts";
import type { CheckPlan } from "./check-plan.ts";
import { judge } from "./judge.ts";
import type { GatherResult } from "./list-collector.ts";

/** The outcomes of all plans. A check that is judged last receives what all before it reported, those that are judged last included. */
export function judgeAll(
  plans: readonly CheckPlan[],
  gathered: ReadonlyMap<Read, GatherResult>,
  context: Context,
): ReadonlyMap<Check, Outcome> {
  const outcomes = new Map<Check, Outcome>();
  for (const plan of plans.filter(({ check }) => !check.judgedLast))
    outcomes.set(plan.check, judge(plan, gathered, context));
  for (const plan of plans.filter(({ check }) => check.judgedLast)) {
    const reported = [...outcomes.values()].flatMap(findingsOf);
    outcomes.set(plan.check, judge(plan, gathered, { ...context, reported }));
  }
  return outcomes;
}

function findingsOf(outcome: Outcome): readonly Finding[] {
  return outcome.kind === "risk" || outcome.kind === "unknown" ? outcome.findings : [];
}
