import type { Check, Context, Unknown } from "../model/check.ts";
import { defined } from "../model/optional.ts";
import { buildUnknownOutcome, type CheckVerdict } from "./judge/judge.ts";
import type { OnBegin } from "./plan/check-code.ts";
import type { CheckResult } from "./report/build-report.ts";
import type { ApplicableChecks } from "./updates/applicable-checks.ts";

/** What a process of its own found of a check in each update, in order, or why it did not. */
export type SeparateResult =
  | { readonly kind: "judged"; readonly updates: readonly JudgedUpdate[] }
  | { readonly kind: "unknown"; readonly unknown: Unknown };

/** `result`: absent if the check was not among those of the update. */
export type JudgedUpdate = { readonly update: string; readonly result?: CheckResult };

/** The same of one update. */
type KnownResult =
  | { readonly kind: "judged"; readonly result: CheckResult }
  | { readonly kind: "unknown"; readonly unknown: Unknown };

/** By the check's id. */
type KnownResults = ReadonlyMap<string, KnownResult>;

/** The part that other processes have in judging. */
export type Isolation = {
  readonly onBegin: OnBegin;
  /** What is known of an update's checks, which are then neither read for nor judged. Called for each update that is judged, in order. */
  readonly takeKnown: (update: ApplicableChecks) => KnownResults;
  /** Called in the same order. */
  readonly onJudged: (context: Context, results: readonly CheckResult[]) => void;
};

export const NO_ISOLATION: Isolation = { onBegin: () => {}, takeKnown: () => new Map(), onJudged: () => {} };

/** For the process that judges all checks but these. */
export function leaveOutSeparate(separate: ReadonlyMap<string, SeparateResult>, onBegin: OnBegin): Isolation {
  let count = 0;
  const takeKnown = ({ context }: ApplicableChecks): KnownResults => {
    const index = count++;
    return new Map([...separate].map(([id, result]) => [id, selectUpdate(result, index, context)]));
  };
  return { ...NO_ISOLATION, onBegin, takeKnown };
}

/** For a process that judges one check alone. To that, the others could not look. */
export function isolateCheck(id: string, onBegin: OnBegin): Isolation & { readonly updates: readonly JudgedUpdate[] } {
  const updates: JudgedUpdate[] = [];
  return {
    onBegin,
    takeKnown: ({ checks }) =>
      new Map(checks.flatMap((check) => (check.id === id ? [] : [[check.id, ELSEWHERE] as const]))),
    onJudged: (context, results) => {
      const result = results.find(({ report }) => report.id === id);
      updates.push({ update: formatUpdate(context), ...defined({ result }) });
    },
    updates,
  };
}

const ELSEWHERE: KnownResult = buildUnread("another process", "");

/** A cluster or an update service that has changed in between may lead to other updates. */
function selectUpdate(separate: SeparateResult, index: number, context: Context): KnownResult {
  if (separate.kind === "unknown") return separate;
  const { update, result } = separate.updates[index] ?? {};
  if (result !== undefined && update === formatUpdate(context)) return { kind: "judged", result };
  return buildUnread(formatUpdate(context), "the process that ran it alone did not get to this update");
}

function buildUnread(where: string, message: string): KnownResult {
  return { kind: "unknown", unknown: { reason: "NotRead", where, message } };
}

function formatUpdate({ source, target }: Context): string {
  return `the update from ${source.text} to ${target.text}`;
}

export function collectVerdicts(checks: readonly Check[], known: KnownResults): ReadonlyMap<Check, CheckVerdict> {
  return new Map(
    checks.flatMap((check) => {
      const result = known.get(check.id);
      return result === undefined ? [] : [[check, buildVerdict(result)]];
    }),
  );
}

function buildVerdict(known: KnownResult): CheckVerdict {
  if (known.kind === "unknown") return { outcome: buildUnknownOutcome([known.unknown]) };
  const { report, noticedRisks } = known.result;
  return { outcome: report.outcome, ...defined({ noticedRisks }) };
}
