import type { CycleResult } from "../../../model/report.ts";
import type { Sleep } from "../../../model/sleep.ts";

export type LoopInput = {
  readonly cycle: (signal: AbortSignal) => Promise<CycleResult>;
  /** Publishes a result; false if it could not be published and has to be retried. */
  readonly publish: (result: CycleResult) => Promise<boolean>;
  /** Milliseconds between the starts of cycles; 0 runs one cycle. */
  readonly interval: number;
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly sleep: Sleep;
  readonly clock: () => number;
  readonly signal: AbortSignal;
};

/** 10% of the interval either way, so that the runners of many clusters do not read at the same moment. */
const JITTER = 0.1;
const RETRY_DELAYS = [1_000, 5_000, 15_000];

export type LoopResult = "stopped" | "published" | "unpublished";

/** Runs cycles until the signal is aborted. A cycle that is then running is abandoned: the last published result stays. */
export async function loop(input: LoopInput): Promise<LoopResult> {
  for (;;) {
    const startedAt = input.clock();
    const result = await input.cycle(input.signal);
    if (input.signal.aborted) return "stopped";
    const isPublished = await publishWithRetries(result, input);
    if (input.signal.aborted) return "stopped";
    if (input.interval === 0) return isPublished ? "published" : "unpublished";
    await input.sleep(computeWait(startedAt, input), input.signal);
    if (input.signal.aborted) return "stopped";
  }
}

async function publishWithRetries(result: CycleResult, { publish, sleep, signal }: LoopInput): Promise<boolean> {
  for (const wait of RETRY_DELAYS) {
    if (await publish(result)) return true;
    await sleep(wait, signal);
    if (signal.aborted) return false;
  }
  return publish(result);
}

function computeWait(startedAt: number, { interval, random, clock }: LoopInput): number {
  const period = interval * (1 - JITTER + 2 * JITTER * random());
  return Math.max(0, period - (clock() - startedAt));
}
