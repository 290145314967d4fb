import { formatTime, getAge, MAX_AHEAD_MS } from "./time.ts";

/** What says when a result was observed. */
type Timed = { readonly observedAt?: string | undefined; readonly preflightID?: string | undefined };

/** A document of the enhancement's own form has no observedAt, but its ID begins with the time when its runner started. */
export function getResultTime({ observedAt, preflightID = "" }: Timed): string {
  return observedAt ?? preflightID.slice(0, 20);
}

/** Whether a result's time is so far ahead that it tells nothing of the result's age. */
export function isInFuture(result: Timed, now: Date): boolean {
  return (getAge(getResultTime(result), now) ?? 0) < -MAX_AHEAD_MS;
}

/** Why nothing relies on a result of the future; undefined if it is none. */
export function describeFuture(result: Timed, now: Date): string | undefined {
  if (!isInFuture(result, now)) return undefined;
  return `The result is dated ${getResultTime(result)}, and this clock says ${formatTime(now)}, so nothing relies on it. ${CHECK_CLOCKS}`;
}

/** Who is wrong, the writer or the reader, can't be told from one of them. */
export const CHECK_CLOCKS =
  "Check the clocks of the machine that wrote it and of this one, then run the preflight again.";

/** Without `complete`, what a result does not name may never have been looked for. */
export const COMPLETENESS_NOT_STATED = "The result does not say whether every check could complete.";
