import { getResultTime } from "../../model/result-limits.ts";
import { formatAge, getAge, parseTimestamp } from "../../model/time.ts";
import type { ResultFields } from "./result-fields.ts";

/** Why a completed result is too old to count; undefined if it is current. */
export function findStaleness(
  { observedAt, validUntil, preflightID }: Pick<ResultFields, "observedAt" | "validUntil" | "preflightID">,
  { now, maxAge }: { readonly now: Date; readonly maxAge: number },
): string | undefined {
  const time = getResultTime({ observedAt, preflightID });
  const age = getAge(time, now);
  if (age === undefined) return "The result does not say when the cluster was read.";
  const until = parseTimestamp(validUntil);
  if (until !== undefined && until < now.getTime())
    return `The document was valid until ${validUntil}: nothing has replaced it since.`;
  if (age <= maxAge) return undefined;
  const what = observedAt === undefined ? "The runner started" : "The cluster was read";
  return `${what} ${formatAge(age)} ago, at ${time}: the limit is ${formatAge(maxAge)}.`;
}
