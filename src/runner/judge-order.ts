import type { Check, Context, CoveredRisk } from "../model/check.ts";
import type { Read } from "../model/read.ts";
import type { Outcome } from "../model/report.ts";
import type { CheckPlan } from "./check-plan.ts";
import { judge, type Verdict } from "./judge.ts";
import type { GatherResult } from "./list-collector.ts";

type Verdicts = ReadonlyMap<string, Verdict>;

/** Judges all checks of an update. Those that depend on what others cover come last, when it is known what the others say. */
export function judgeAll(
  plans: readonly CheckPlan[],
  gathered: ReadonlyMap<Read, GatherResult>,
  context: Context,
): ReadonlyMap<Check, Outcome> {
  const judgeOne = (plan: CheckPlan, of: Context) => [plan.check, judge(plan, gathered, of)] as const;
  const first = plans.filter(({ check }) => !check.judgedLast).map((plan) => judgeOne(plan, context));
  const verdicts: Verdicts = new Map(first.map(([{ id }, verdict]) => [id, verdict]));
  const coveredRisks = context.coveredRisks.flatMap((covered) => addNotice(covered, verdicts.get(covered.check)));
  const last = plans
    .filter(({ check }) => check.judgedLast)
    .map((plan) => judgeOne(plan, { ...context, coveredRisks }));
  return new Map([...first, ...last].map(([check, { outcome }]) => [check, outcome]));
}

/** A check that turns out not to apply to this cluster covers nothing that is published. */
function addNotice(covered: CoveredRisk, verdict: Verdict | undefined): readonly CoveredRisk[] {
  if (covered.source === "published" && verdict?.outcome.kind === "notApplicable") return [];
  if (covered.risk !== undefined || verdict?.noticedRisks === undefined) return [covered];
  return [{ ...covered, hasNotice: verdict.noticedRisks.includes(covered.name) }];
}
