/** A clock that advances only in `pass` and `jump`, and the sleeps that wait for it. */
export function createWorld() {
  let clock = 0;
  const sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      sleepers.push({ until: clock + ms, wake: resolve });
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  const settle = async (): Promise<void> => {
    for (const one of sleepers.splice(0)) (one.until <= clock ? one.wake : () => sleepers.push(one))();
    await new Promise((resolve) => void setImmediate(resolve));
    await new Promise((resolve) => void setImmediate(resolve));
  };
  const pass = async (ms: number): Promise<void> => {
    const end = clock + ms;
    while (clock < end) {
      clock += 250;
      await settle();
    }
  };
  /** Advances the clock as if the process were suspended: every timer fires late. */
  const jump = async (ms: number): Promise<void> => {
    clock += ms;
    await settle();
  };
  return { sleep, pass, jump, clock: () => clock, now: () => new Date(Date.UTC(2026, 2, 1) + clock) };
}

export type World = ReturnType<typeof createWorld>;
