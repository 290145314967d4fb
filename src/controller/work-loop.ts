/** Runs one function after each change, never concurrently; changes during a run cause one more run. */
type WorkQueue = { readonly enqueue: () => void; readonly run: (signal: AbortSignal) => Promise<void> };

/** `work` returns the milliseconds until the next run without a change, or undefined for none. */
export function createWorkQueue(work: (signal: AbortSignal) => Promise<number | undefined>): WorkQueue {
  let isDirty = false;
  let resume: () => void = () => {};
  const enqueue = (): void => {
    isDirty = true;
    resume();
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    signal.addEventListener("abort", () => resume(), { once: true });
    let retryMs: number | undefined;
    while (!signal.aborted) {
      if (!isDirty) await new Promise<void>((resolve) => waitFor(resolve, retryMs));
      if (signal.aborted) return;
      isDirty = false;
      retryMs = await work(signal);
    }
  };
  return { enqueue, run };

  function waitFor(resolve: () => void, retryMs: number | undefined): void {
    const timer = retryMs === undefined ? undefined : setTimeout(() => resume(), retryMs);
    resume = () => {
      clearTimeout(timer);
      resolve();
    };
  }
}

/** Notices loops that make no progress, for the liveness probe. */
export type LoopMonitor = {
  /** Called at each turn of a loop that must never pause for long. */
  readonly beat: () => void;
  /** Runs one unit of work, which must end in time. */
  readonly track: <T>(work: () => Promise<T>) => Promise<T>;
  /** Why the process is stuck, or undefined. */
  readonly findStuck: () => string | undefined;
  /** Whether a first turn or unit of work has been completed. */
  readonly hasProgressed: () => boolean;
};

/** Several times what the slowest turn takes: requests time out after 30 seconds. */
const MAX_SILENCE_MS = 5 * 60_000;

/** A loop may be silent for `turnMs`, if that is longer than the usual limit. */
export function createLoopMonitor(clock: () => number, turnMs = 0): LoopMonitor {
  const maxSilenceMs = Math.max(MAX_SILENCE_MS, turnMs);
  const startedAt = new Map<symbol, number>();
  let lastBeat: number | undefined;
  let hasProgressed = false;
  const format = (since: number): string => `${Math.round((clock() - since) / 1_000)} seconds`;
  const isLate = (since: number): boolean => clock() - since > maxSilenceMs;
  return {
    beat: () => {
      [lastBeat, hasProgressed] = [clock(), true];
    },
    track: async (work) => {
      const id = Symbol();
      startedAt.set(id, clock());
      try {
        return await work();
      } finally {
        startedAt.delete(id);
        hasProgressed = true;
      }
    },
    findStuck: () => {
      if (lastBeat !== undefined && isLate(lastBeat))
        return `the leader election has made no progress for ${format(lastBeat)}`;
      const stuck = [...startedAt.values()].find(isLate);
      return stuck === undefined ? undefined : `a reconciliation has been running for ${format(stuck)}`;
    },
    hasProgressed: () => hasProgressed,
  };
}
