import { type Clock, computeDelay } from "../../network/retry.ts";

/**
 * Holds back all requests of a reader once the API server has refused one with 429 (Too Many Requests): the other reads would only add
 * to what overloads it, and use up their own tries.
 */
export type Pace = {
  /** Resolves once requests may be sent, or the signal is aborted. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
  readonly onRefused: (retryAfter: string | undefined) => void;
  readonly onAnswered: () => void;
};

/** Requests that waited for the same moment are sent over this long: so long for each of them, and at least for four. */
const SPREAD_MS = 62.5;
const MIN_SPREAD = 4;

export function createPace(clock: Clock): Pace {
  // Refusals in a row. Requests that were under way together are refused together, and count once.
  let refusals = 0;
  let pausedUntil = 0;
  let waiting = 0;
  return {
    async wait(signal) {
      let waited = 0;
      waiting += 1;
      while (pausedUntil > Math.max(clock.now(), waited) && !signal.aborted) {
        waited = pausedUntil;
        const spread = SPREAD_MS * Math.max(MIN_SPREAD, waiting);
        await clock.sleep(pausedUntil - clock.now() + spread * clock.random(), signal);
      }
      waiting -= 1;
    },
    onRefused(retryAfter) {
      if (clock.now() >= pausedUntil) refusals++;
      pausedUntil = Math.max(pausedUntil, clock.now() + computeDelay(refusals, retryAfter, clock));
    },
    onAnswered() {
      if (clock.now() >= pausedUntil) refusals = 0;
    },
  };
}
