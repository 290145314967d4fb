import type { Check, Context, Unknown } from "../model/check.ts";
import { buildUnknownOutcome, type CheckVerdict } from "./judge/judge.ts";
import type { PlannedChecks } from "./plan/check-plan.ts";
import { buildCheckResult, type CheckResult } from "./report/build-report.ts";

/** The checks of an update that are judged here, and what other processes found of the rest. */
export type UpdateToJudge = PlannedChecks & {
  /** By the check's id. */
  readonly known?: ReadonlyMap<string, CheckVerdict>;
};

/** Judges the checks of all updates; resolves with the results for each. */
export type JudgeUpdates = (updates: readonly UpdateToJudge[]) => Promise<readonly (readonly CheckResult[])[]>;

/** Has other processes take part in judging. */
export type Isolation = (judge: JudgeUpdates) => JudgeUpdates;

/** What a process of its own found of a check in each update, in order, or why it did not. */
export type SeparateResult =
  | { readonly kind: "judged"; readonly updates: readonly JudgedUpdate[] }
  | { readonly kind: "unknown"; readonly unknown: Unknown };

/** `result`: absent if the check was not among those of the update. */
export type JudgedUpdate = { readonly update: string; readonly result?: CheckResult };

/** For the process that judges all checks but these: they are neither read for nor judged. Updates are counted over all its cycles. */
export function leaveOutSeparate(separate: ReadonlyMap<string, SeparateResult>): Isolation {
  let count = 0;
  return (judge) => async (updates) => {
    const apart = updates.map(({ context, checks }) => {
      const index = count++;
      return checks.flatMap((check) => {
        const result = separate.get(check.id);
        return result === undefined ? [] : findResult(check, context, result, index);
      });
    });
    const results = await judge(
      updates.map(({ context, checks }, i) => ({
        context,
        checks: checks.filter(({ id }) => !separate.has(id)),
        known: new Map((apart[i] ?? []).map((result) => [result.report.id, toVerdict(result)])),
      })),
    );
    return results.map((ofUpdate, i) => [...ofUpdate, ...(apart[i] ?? [])]);
  };
}

/** For a process that judges one check alone. */
export function isolateCheck(id: string): { readonly isolation: Isolation; readonly updates: readonly JudgedUpdate[] } {
  const judged: JudgedUpdate[] = [];
  const isolation: Isolation = (judge) => async (updates) => {
    const results = await judge(
      updates.map((one) => ({ ...one, checks: one.checks.filter((check) => check.id === id) })),
    );
    for (const [i, { context }] of updates.entries())
      judged.push({ update: formatUpdate(context), result: results[i]?.[0] });
    return results;
  };
  return { isolation, updates: judged };
}

/** A cluster or an update service that has changed in between may lead to other updates. */
function findResult(check: Check, context: Context, separate: SeparateResult, index: number): CheckResult {
  if (separate.kind === "unknown") return buildUnknownResult(check, context, separate.unknown);
  const update = formatUpdate(context);
  const judged = separate.updates[index];
  if (judged?.result !== undefined && judged.update === update) return judged.result;
  const message = "the process that ran it alone did not get to this update";
  return buildUnknownResult(check, context, { reason: "NotRead", where: update, message });
}

function buildUnknownResult(check: Check, context: Context, unknown: Unknown): CheckResult {
  return buildCheckResult(check, { outcome: buildUnknownOutcome([unknown]) }, { context });
}

function formatUpdate({ source, target }: Context): string {
  return `the update from ${source.text} to ${target.text}`;
}

function toVerdict({ report, noticedRisks }: CheckResult): CheckVerdict {
  return { outcome: report.outcome, noticedRisks };
}
