import { UsageError } from "../../model/errors.ts";

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
const DURATION_PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;
/** The longest timeout that a timer accepts. */
const MAX_MILLISECONDS = 2_147_483_647;

/** "5m" of 300,000 milliseconds: in the largest unit of which it is a whole number. */
export function formatDuration(milliseconds: number): string {
  const [unit = "ms", size = 1] =
    Object.entries(UNIT_MILLISECONDS).findLast(([, one]) => milliseconds % one === 0) ?? [];
  return `${milliseconds / size}${unit}`;
}

/** Milliseconds of "5m", "1h30m", "500ms" or "0"; a UsageError names the flag. */
export function parseDuration(text: string, flag: string): number {
  if (text === "0") return 0;
  if (!DURATION.test(text))
    throw new UsageError(`--${flag} "${text}" is not a duration: use a form such as 30s, 5m or 1h30m`);
  const total = [...text.matchAll(DURATION_PART)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MILLISECONDS[unit ?? ""] ?? Number.NaN),
    0,
  );
  if (total > MAX_MILLISECONDS) throw new UsageError(`--${flag} "${text}" is too long: the limit is 24 days`);
  return Math.round(total);
}
