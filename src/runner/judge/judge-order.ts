import type { Check, Context, CoveredRisk } from "../../model/check.ts";
import type { Read } from "../../model/read.ts";
import { findingsOf } from "../../model/report.ts";
import type { CheckPlan } from "../plan/check-plan.ts";
import { buildUnknownOutcome, judge, type CheckVerdict } from "./judge.ts";
import type { GatherResult } from "../gather/list-collector.ts";
import type { OnBegin } from "../separate.ts";
import { buildLateUnknown, type LimitWork } from "../plan/work-limit.ts";

export type JudgeInput = {
  readonly plans: readonly CheckPlan[];
  /** The verdicts of checks without a plan, from another process. */
  readonly known: ReadonlyMap<Check, CheckVerdict>;
  readonly gathered: ReadonlyMap<Read, GatherResult>;
  readonly context: Context;
  readonly onBegin: OnBegin;
  readonly limitWork: LimitWork;
  readonly onVerdict: (check: Check, verdict: CheckVerdict) => void;
};

/**
 * Judges all plans. A check that is judged last receives what all before it reported, those that are judged last included, and what the
 * others say of the risks that they cover.
 */
export function judgeAll({ plans, known, gathered, context, onBegin, limitWork, onVerdict }: JudgeInput): void {
  const verdicts = new Map(known);
  const judgePlan = (plan: CheckPlan, seen: Context): void => {
    onBegin([plan.check.id]);
    const judged = limitWork(() => judge(plan, gathered, seen));
    const verdict = judged.kind === "done" ? judged.value : buildLateVerdict(plan.check, judged.milliseconds);
    verdicts.set(plan.check, verdict);
    onVerdict(plan.check, verdict);
  };
  for (const plan of plans.filter(({ check }) => !check.special?.judgedLast)) judgePlan(plan, context);
  const byId = new Map([...verdicts].map(([{ id }, verdict]) => [id, verdict]));
  const coveredRisks = context.coveredRisks.flatMap((covered) => addNotice(covered, byId.get(covered.check)));
  for (const plan of plans.filter(({ check }) => check.special?.judgedLast)) {
    const reported = [...verdicts.values()].flatMap(({ outcome }) => findingsOf(outcome));
    judgePlan(plan, { ...context, coveredRisks, reported });
  }
}

function buildLateVerdict(check: Check, milliseconds: number): CheckVerdict {
  return { outcome: buildUnknownOutcome([buildLateUnknown(check, milliseconds)]) };
}

/** A check that turns out not to apply to this cluster covers nothing that is published. */
function addNotice(covered: CoveredRisk, verdict: CheckVerdict | undefined): readonly CoveredRisk[] {
  if (covered.source === "published" && verdict?.outcome.kind === "notApplicable") return [];
  if (covered.risk !== undefined || verdict?.noticedRisks === undefined) return [covered];
  return [{ ...covered, hasNotice: verdict.noticedRisks.includes(covered.name) }];
}

/** The names of other sources for what these checks cover in this update. */
export function findCoveredRisks(checks: readonly Check[], context: Context): readonly CoveredRisk[] {
  return checks.flatMap((check) => [
    ...findPublished(check, context).map((one) => ({ ...one, source: "published" as const, check: check.id })),
    ...check.risks.flatMap(({ name: risk, knownAs: { liftedAs: name } = {} }) =>
      name === undefined ? [] : [{ name, source: "operator" as const, check: check.id, risk }],
    ),
  ]);
}

function findPublished(check: Check, context: Context): readonly Pick<CoveredRisk, "name" | "risk">[] {
  if (check.special?.covers) return check.special.covers(context);
  return check.risks.flatMap(({ name: risk, knownAs: { published = [] } = {} }) =>
    published.map((name) => ({ name, risk })),
  );
}
