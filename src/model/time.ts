const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Parses a time of the API ("2026-03-01T12:00:00Z") to milliseconds since 1970; undefined for any other text. */
export function parseTimestamp(text: string | undefined): number | undefined {
  if (text === undefined || !RFC3339.test(text)) return undefined;
  // oxlint-disable-next-line no-restricted-globals -- reading a written time is pure
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** "2026-01-03 10:00 UTC" of "2026-01-03T10:00:00Z". */
export function formatMinute(time: string): string {
  return `${time.slice(0, "2026-01-03".length)} ${time.slice("2026-01-03T".length, "2026-01-03T10:00".length)} UTC`;
}

export function parseDate(text: string | undefined): Date | undefined {
  const instant = parseTimestamp(text);
  // oxlint-disable-next-line no-restricted-globals -- reading a written time is pure
  return instant === undefined ? undefined : new Date(instant);
}

/** How far the clock of whoever wrote a time may be ahead of ours. */
export const MAX_AHEAD_MS = 5 * 60_000;

/** Whether something is younger than a grace period. A time of the future tells no age, so it gives no grace. */
export function isRecent(age: number, gracePeriodMs: number): boolean {
  return age >= -MAX_AHEAD_MS && age < gracePeriodMs;
}

/** Whether a time is less than `minutes` before `now`; false for an invalid time and for one that is more than MAX_AHEAD_MS in the future. */
export function isWithinMinutes(text: string | undefined, minutes: number, now: Date): boolean {
  const age = getAge(text, now);
  return age !== undefined && isRecent(age, minutes * 60_000);
}

/** Milliseconds from a time to `now`. */
export function getAge(text: string | undefined, now: Date): number | undefined {
  const instant = parseTimestamp(text);
  return instant === undefined ? undefined : now.getTime() - instant;
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

/** RFC 3339 in whole seconds, UTC: "2026-02-06T15:30:00Z". */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Resolves after that many milliseconds, or as soon as the signal is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;
