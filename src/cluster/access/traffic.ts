import type { Clock } from "../../network/retry.ts";

/** What was sent to an API server, and how long its answers were waited for. */
export type TrafficSummary = {
  readonly requests: number;
  /** Of requests one of which began after the other had ended: the longest chain. */
  readonly rounds: number;
  readonly bytes: number;
  /** For which at least one request was under way, and altogether. */
  readonly busyMs: number;
  readonly totalMs: number;
};

export type Traffic = {
  readonly begin: () => RequestCount;
  readonly summarize: () => TrafficSummary;
};

type RequestCount = { readonly onBytes: (bytes: number) => void; readonly end: () => void };

export function createTraffic({ now }: Pick<Clock, "now">): Traffic {
  const openedAt = now();
  let requests = 0;
  let rounds = 0;
  let endedRounds = 0;
  let bytes = 0;
  let running = 0;
  let busyMs = 0;
  let busySince = 0;
  const begin = (): RequestCount => {
    const round = endedRounds + 1;
    requests += 1;
    rounds = Math.max(rounds, round);
    if (running === 0) busySince = now();
    running += 1;
    return {
      onBytes: (more) => void (bytes += more),
      end() {
        endedRounds = Math.max(endedRounds, round);
        running -= 1;
        if (running === 0) busyMs += now() - busySince;
      },
    };
  };
  return { begin, summarize: () => ({ requests, rounds, bytes, busyMs, totalMs: now() - openedAt }) };
}
