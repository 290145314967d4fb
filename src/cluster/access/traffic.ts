import type { Clock } from "../../network/retry.ts";

/** What was sent to an API server, and how long its answers were waited for. */
export type TrafficSummary = {
  readonly requests: number;
  /** Of requests one of which began after the other had ended: the longest chain. */
  readonly rounds: number;
  /** Of answers, as they came and unpacked: the API server may have compressed them. */
  readonly wireBytes: number;
  readonly bytes: number;
  /** For which at least one request was under way, and altogether. */
  readonly busyMs: number;
  readonly totalMs: number;
};

export type Traffic = {
  readonly begin: () => TrafficCount;
  readonly summarize: () => TrafficSummary;
};

export type TrafficCount = {
  readonly onWireBytes: (bytes: number) => void;
  readonly onBytes: (bytes: number) => void;
  readonly end: () => void;
};

export function createTraffic({ now }: Pick<Clock, "now">): Traffic {
  const openedAt = now();
  let requests = 0;
  let rounds = 0;
  let endedRounds = 0;
  let wireBytes = 0;
  let bytes = 0;
  let running = 0;
  let busyMs = 0;
  let busySince = 0;
  const begin = (): TrafficCount => {
    const round = endedRounds + 1;
    requests += 1;
    rounds = Math.max(rounds, round);
    if (running === 0) busySince = now();
    running += 1;
    return {
      onWireBytes: (more) => void (wireBytes += more),
      onBytes: (more) => void (bytes += more),
      end() {
        endedRounds = Math.max(endedRounds, round);
        running -= 1;
        if (running === 0) busyMs += now() - busySince;
      },
    };
  };
  const summarize = (): TrafficSummary => ({
    requests,
    rounds,
    wireBytes,
    bytes,
    busyMs,
    totalMs: now() - openedAt,
  });
  return { begin, summarize };
}
