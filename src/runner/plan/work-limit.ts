import type { Check, Unknown } from "../../model/check.ts";
import { formatCount } from "../../model/count.ts";

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

export function buildLateUnknown({ id }: Pick<Check, "id">, milliseconds: number): Unknown {
  const time = formatCount(Math.round(milliseconds / 100) / 10, "second");
  const message = `it was still computing after ${time} and was ended: raise --check-timeout if it needs longer`;
  return { reason: "CostLimit", where: `check ${id}`, message };
}
