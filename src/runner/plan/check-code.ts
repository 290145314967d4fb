import type { Check, Unknown } from "../../model/check.ts";
import { formatCount } from "../../model/count.ts";
import { formatError } from "../../model/errors.ts";

/** What came of the code of a check; "late" if it was ended after so many milliseconds. */
export type LimitedWork<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "late"; readonly milliseconds: number };

/** Runs code of a check, and ends it if it doesn't come back. */
export type LimitWork = <T>(run: () => T) => LimitedWork<T>;

/** Made anew for each cycle, whose time it counts. */
export type StartWorkLimit = (limits: { readonly checkTimeout: number; readonly cycleTimeout: number }) => LimitWork;

/** For callers whose process may be ended from outside. */
export const startNoWorkLimit: StartWorkLimit = () => (run) => ({ kind: "done", value: run() });

/**
 * Told which checks are about to use memory and time, so that a process that ends says by whose fault: the checks that read a path, until
 * that is read; without a path, those whose code runs, until the next call.
 */
export type OnBegin = (checks: readonly string[], path?: string) => void;

/** What came of the code of a check, or why nothing did. */
export type CheckWork<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly unknown: Unknown };

/** Runs code of a check. Whatever it does, the other checks go on. */
export type RunCode = <T>(check: Pick<Check, "id">, run: () => T) => CheckWork<T>;

export function createCodeRunner(onBegin: OnBegin, limitWork: LimitWork): RunCode {
  return (check, run) => {
    onBegin([check.id]);
    const work = limitWork(() => attempt(check, run));
    return work.kind === "done" ? work.value : { kind: "failed", unknown: buildLateUnknown(check, work.milliseconds) };
  };
}

export const attempt: RunCode = (check, run) => {
  try {
    return { kind: "done", value: run() };
  } catch (thrown) {
    return { kind: "failed", unknown: buildCrashUnknown(check, thrown) };
  }
};

/** A check that throws is a bug in preflight: it says nothing about the cluster and must not read as "no risk found". */
export function buildCrashUnknown(check: Pick<Check, "id">, thrown: unknown): Unknown {
  const message = `the check failed (${formatError(thrown)}): this is a bug in preflight, please report it`;
  return { reason: "CheckFailed", where: `check ${check.id}`, message };
}

function buildLateUnknown({ id }: Pick<Check, "id">, milliseconds: number): Unknown {
  const time = formatCount(Math.round(milliseconds / 100) / 10, "second");
  const message = `it was still computing after ${time} and was ended: raise --check-timeout if it needs longer`;
  return { reason: "CostLimit", where: `check ${id}`, message };
}
