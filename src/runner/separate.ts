import type { Check, Unknown } from "../model/check.ts";
import { defined } from "../model/optional.ts";
import type { CheckResult } from "./build-report.ts";
import { buildUnknownOutcome, type CheckVerdict } from "./judge.ts";

/** What a process of its own found of a check, or why it did not. */
export type SeparateResult =
  | { readonly kind: "judged"; readonly result: CheckResult }
  | { readonly kind: "unknown"; readonly unknown: Unknown };

/**
 * Told which checks are about to use memory and time, so that a process that ends says by whose fault: the checks that read a path, until
 * that is read; without a path, those whose code runs, until the next call.
 */
export type OnBegin = (checks: readonly string[], path?: string) => void;

/** All but these checks, for a process that runs these alone. To those that it runs, the others could not look. */
export function leaveToOthers(checks: readonly Check[], ids: readonly string[]): ReadonlyMap<string, SeparateResult> {
  const others = checks.filter(({ id }) => !ids.includes(id));
  const unknown: Unknown = { reason: "NotRead", where: "another process", message: "" };
  return new Map(others.map(({ id }) => [id, { kind: "unknown", unknown }]));
}

export function collectVerdicts(
  checks: readonly Check[],
  separate: ReadonlyMap<string, SeparateResult>,
): ReadonlyMap<Check, CheckVerdict> {
  return new Map(
    checks.flatMap((check) => {
      const result = separate.get(check.id);
      return result === undefined ? [] : [[check, buildVerdict(result)]];
    }),
  );
}

function buildVerdict(separate: SeparateResult): CheckVerdict {
  if (separate.kind === "unknown") return { outcome: buildUnknownOutcome([separate.unknown]) };
  const { report, noticedRisks } = separate.result;
  return { outcome: report.outcome, ...defined({ noticedRisks }) };
}
