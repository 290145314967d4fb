/** Runs one function after each change, never concurrently; changes during a run cause one more run. */
export type WorkQueue = { readonly enqueue: () => void; readonly run: (signal: AbortSignal) => Promise<void> };

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
