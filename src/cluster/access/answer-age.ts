import type { IncomingHttpHeaders } from "node:http";
import { formatAge } from "../../model/time.ts";
import type { Clock } from "../../network/retry.ts";

/** Judges each answer by its headers: returns how it was answered if it shows that it comes out of a cache; undefined otherwise. */
export type JudgeAge = (headers: IncomingHttpHeaders) => string | undefined;

/** Clocks of the API servers behind one address may be apart, but not by this much. */
const MAX_APART_MS = 5 * 60_000;

/**
 * An API server forbids caches, but a proxy may keep its answers all the same. What was true yesterday is no evidence of today, so the
 * answers of one cycle must be of one time. They are compared with each other: our clock may be wrong.
 */
export function createAgeJudge(clock: Pick<Clock, "now">): JudgeAge {
  let first: { readonly time: number; readonly seenAt: number } | undefined;
  let newest = -Infinity;
  return ({ age, date }) => {
    const kept = Number(age ?? 0) * 1_000;
    if (kept > MAX_APART_MS) return `out of a cache, which has kept the answer for ${formatAge(kept)} (Age)`;
    const time = Date.parse(date ?? "");
    if (Number.isNaN(time)) return undefined;
    first ??= { time, seenAt: clock.now() };
    const behind = newest - time;
    const ahead = time - first.time - (clock.now() - first.seenAt);
    newest = Math.max(newest, time);
    if (Math.max(behind, ahead) <= MAX_APART_MS) return undefined;
    const place = behind > ahead ? `${formatAge(behind)} older` : `${formatAge(ahead)} newer`;
    return `out of a cache, or an earlier answer was: it is ${place} than that (Date)`;
  };
}
