import type { Check, Unknown } from "../../model/check.ts";
import { formatCount } from "../../model/text.ts";
import { formatError } from "../../model/errors.ts";

/** What came of the code of a check; "late" if it was ended after so many milliseconds. */
export type LimitedWork<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "late"; readonly milliseconds: number };

/** Does the work of each item, one after the other, and ends what doesn't come back. The rest is done all the same. */
export type LimitWork = <I, T>(items: readonly I[], work: (item: I) => T) => readonly (readonly [I, LimitedWork<T>])[];

/** Made anew for each cycle, whose time it counts. */
export type StartWorkLimit = (limits: { readonly checkTimeout: number; readonly cycleTimeout: number }) => LimitWork;

/** For callers whose process may be ended from outside. */
export const startNoWorkLimit: StartWorkLimit = () => (items, work) =>
  items.map((item) => [item, { kind: "done", value: work(item) }]);

/**
 * Told which checks are about to use memory and time, so that a process that ends says by whose fault: the checks that read a path, until
 * that is read; without a path, those whose code runs, until the next call.
 */
export type OnBegin = (checks: readonly string[], path?: string) => void;

/** What came of the code of a check, or why nothing did. */
export type CheckWork<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly unknown: Unknown };

type OfCheck = { readonly check: Pick<Check, "id"> };

/** Runs code of checks, which may run again if it took long. Whatever one does, the others go on. */
export type RunCode = <P extends OfCheck, T>(
  plans: readonly P[],
  run: (plan: P) => T,
) => readonly (readonly [P, CheckWork<T>])[];

export function createCodeRunner(onBegin: OnBegin, limitWork: LimitWork): RunCode {
  return (plans, run) => {
    const works = limitWork(plans, (plan) => {
      onBegin([plan.check.id]);
      return attempt(plan.check, () => run(plan));
    });
    return works.map(([plan, work]) => [
      plan,
      work.kind === "done" ? work.value : buildLateWork(plan, work.milliseconds),
    ]);
  };
}

export function attempt<T>(check: Pick<Check, "id">, run: () => T): CheckWork<T> {
  try {
    return { kind: "done", value: run() };
  } catch (thrown) {
    return { kind: "failed", unknown: buildCrashUnknown(check, thrown) };
  }
}

/** A check that throws is a bug in preflight: it says nothing about the cluster and must not read as "no risk found". */
export function buildCrashUnknown(check: Pick<Check, "id">, thrown: unknown): Unknown {
  const message = `the check failed (${formatError(thrown)}): this is a bug in preflight, please report it`;
  return { reason: "CheckFailed", where: `check ${check.id}`, message };
}

function buildLateWork({ check }: OfCheck, milliseconds: number): CheckWork<never> {
  const time = formatCount(Math.round(milliseconds / 100) / 10, "second");
  const message = `it was still computing after ${time} and was ended: raise --check-timeout if it needs longer`;
  return { kind: "failed", unknown: { reason: "CostLimit", where: `check ${check.id}`, message } };
}
