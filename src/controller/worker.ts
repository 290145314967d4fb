/** Work that is done anew whenever something changed, never twice at a time; changes while it is done make it be done once more. */
export type Worker = { readonly wake: () => void; readonly run: (signal: AbortSignal) => Promise<void> };

/** `work` gives the milliseconds after which to try again although nothing changed, or undefined where that needs no trying. */
export function worker(work: (signal: AbortSignal) => Promise<number | undefined>): Worker {
  let isDirty = false;
  let rouse: () => void = () => {};
  const wake = (): void => {
    isDirty = true;
    rouse();
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    signal.addEventListener("abort", () => rouse(), { once: true });
    let again: number | undefined;
    while (!signal.aborted) {
      if (!isDirty) await new Promise<void>((resolve) => waitFor(resolve, again));
      if (signal.aborted) return;
      isDirty = false;
      again = await work(signal);
    }
  };
  return { wake, run };

  function waitFor(resolve: () => void, again: number | undefined): void {
    const timer = again === undefined ? undefined : setTimeout(() => rouse(), again);
    rouse = () => {
      clearTimeout(timer);
      resolve();
    };
  }
}
