import { parseTimestamp } from "../../model/time.ts";
import type { ResultFields } from "./result-fields.ts";

/** Why a completed result is too old to count; undefined if it is current. */
export function findStaleness(
  { observedAt, validUntil }: Pick<ResultFields, "observedAt" | "validUntil">,
  { now, maxAge }: { readonly now: Date; readonly maxAge: number },
): string | undefined {
  const observed = parseTimestamp(observedAt);
  if (observed === undefined) return "The result does not say when the cluster was read.";
  const until = parseTimestamp(validUntil);
  if (until !== undefined && until < now.getTime())
    return `The document was valid until ${validUntil}: nothing has replaced it since.`;
  const age = now.getTime() - observed;
  if (age <= maxAge) return undefined;
  return `The cluster was read ${formatAge(age)} ago, at ${observedAt}: the limit is ${formatAge(maxAge)}.`;
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** In the largest unit that is reached: "3 days", "1 hour". */
export function formatAge(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => milliseconds >= length) ?? ["second", 1_000];
  const number = Math.floor(milliseconds / size);
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}
