import type { CycleResult } from "../model/report.ts";

export type LoopInput = {
  readonly cycle: (signal: AbortSignal) => Promise<CycleResult>;
  /** Makes a result known; false where it could not, and it shall be tried again. */
  readonly announce: (result: CycleResult) => Promise<boolean>;
  /** Milliseconds between the starts of cycles; 0 runs one. */
  readonly interval: number;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** Resolves after that many milliseconds, or at once when the signal says to stop. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly clock: () => number;
  readonly signal: AbortSignal;
};

/** A tenth of the interval each way, so that the runners of many clusters don't read in step. */
const JITTER = 0.1;
const RETRIES = [1_000, 5_000, 15_000];

export type LoopEnd = "stopped" | "announced" | "unannounced";

/** Runs cycles until told to stop. A cycle that is under way then is abandoned: what was announced last stays. */
export async function loop(input: LoopInput): Promise<LoopEnd> {
  for (;;) {
    const begun = input.clock();
    const result = await input.cycle(input.signal);
    if (input.signal.aborted) return "stopped";
    const announced = await announce(result, input);
    if (input.signal.aborted) return "stopped";
    if (input.interval === 0) return announced ? "announced" : "unannounced";
    await input.sleep(nextIn(begun, input), input.signal);
    if (input.signal.aborted) return "stopped";
  }
}

async function announce(result: CycleResult, { announce: tell, sleep, signal }: LoopInput): Promise<boolean> {
  for (const wait of RETRIES) {
    if (await tell(result)) return true;
    await sleep(wait, signal);
    if (signal.aborted) return false;
  }
  return tell(result);
}

function nextIn(begun: number, { interval, random, clock }: LoopInput): number {
  const period = interval * (1 - JITTER + 2 * JITTER * random());
  return Math.max(0, period - (clock() - begun));
}
