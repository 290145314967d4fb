import { setTimeout as pause } from "node:timers/promises";
import type { ReadFailure } from "../model/reader.ts";
import type { Sleep } from "../model/time.ts";

/** An argument, so that tests control time and chance. `sleep` resolves early if the signal aborts. */
export type Clock = {
  readonly sleep: Sleep;
  readonly random: () => number;
  readonly now: () => number;
};

export const systemClock: Clock = {
  sleep: async (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
  random: Math.random,
  now: Date.now,
};

/** `failure` is the result of the last try. `retryAfter`: the header of that name. */
export type Attempt<T, Failure = ReadFailure> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "retry"; readonly failure: Failure; readonly retryAfter?: string | undefined };

export const MAX_TRIES = 5;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
const MAX_RETRY_AFTER_MS = 30_000;

/** Tries up to five times with growing delays, or after the delay that the server requests, up to 30 s. */
export async function withRetries<T, Failure = ReadFailure>(
  attempt: () => Promise<Attempt<T, Failure>>,
  clock: Clock,
  signal: AbortSignal,
): Promise<T | Failure> {
  for (let tries = 1; ; tries++) {
    const outcome = await attempt();
    if (outcome.kind === "done") return outcome.value;
    if (tries === MAX_TRIES || signal.aborted) return outcome.failure;
    await clock.sleep(computeDelay(tries, outcome.retryAfter, clock), signal);
  }
}

export function computeDelay(tries: number, retryAfter: string | undefined, clock: Clock): number {
  const maxDelay = Math.min(FIRST_DELAY_MS * 2 ** (tries - 1), MAX_DELAY_MS);
  const jittered = maxDelay * (0.5 + clock.random() / 2);
  const retryAfterMs = parseRetryAfter(retryAfter, clock.now());
  return retryAfterMs === undefined ? jittered : Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) + jittered / 4;
}

/** A Retry-After header holds seconds or an HTTP date. */
function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
