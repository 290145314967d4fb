import { UsageError } from "../../model/errors.ts";

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DURATION_PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;
/** Timers hold no more than 2^31 - 1 milliseconds. */
const MAX_MILLISECONDS = 2_147_483_647;

/** Milliseconds of "5m", "1h30m", "500ms" or "0"; a UsageError names the option. */
export function parseDuration(text: string, option: string): number {
  if (text === "0") return 0;
  const parts = [...text.matchAll(DURATION_PART)];
  const whole = parts.map(([part]) => part).join("");
  const total = parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MILLISECONDS[unit ?? ""] ?? Number.NaN),
    0,
  );
  if (whole === "" || whole !== text)
    throw new UsageError(`--${option} "${text}" is no duration: give one such as 30s, 5m or 1h30m`);
  if (total > MAX_MILLISECONDS) throw new UsageError(`--${option} "${text}" is too long: give at most 24 days`);
  return Math.round(total);
}
