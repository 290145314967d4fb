import { SilenceError } from "../../model/errors.ts";
import type { OnProgress, Reader } from "../../model/reader.ts";
import type { Sleep } from "../../model/sleep.ts";

export type SilenceLimit = {
  /** Milliseconds for which nothing may arrive. */
  readonly timeout: number;
  readonly sleep: Sleep;
};

/** Ends a read once nothing has arrived for it for so long, however long it takes otherwise. */
export function limitSilence(reader: Reader, limit: SilenceLimit): Reader {
  const { query } = reader;
  const bound = async <T>(
    signal: AbortSignal,
    read: (signal: AbortSignal, onProgress: OnProgress) => Promise<T>,
  ): Promise<T> => {
    const watch = watchSilence(limit);
    try {
      return await read(AbortSignal.any([signal, watch.signal]), watch.onProgress);
    } finally {
      watch.end();
    }
  };
  return {
    get: (location, given) => bound(given, (signal, onProgress) => reader.get(location, signal, onProgress)),
    list: (resource, begin, given, part) =>
      bound(given, (signal, onProgress) =>
        reader.list(resource, (held) => notifyFirst(begin(held), onProgress), signal, part, onProgress),
      ),
    raw: (path, begin, given) =>
      bound(given, (signal, onProgress) =>
        reader.raw(path, () => notifyFirst(begin(), onProgress), signal, onProgress),
      ),
    ...(query && {
      query: (expression, given) => bound(given, (signal, onProgress) => query(expression, signal, onProgress)),
    }),
  };
}

function notifyFirst<In, Out>(visit: (item: In) => Out, onProgress: OnProgress): (item: In) => Out {
  return (item) => {
    onProgress();
    return visit(item);
  };
}

type SilenceWatch = { readonly signal: AbortSignal; readonly onProgress: OnProgress; readonly end: () => void };

/** The time is counted in so many steps. */
const STEPS = 20;

/**
 * A step that ends late counts as one that ends in time: the process was then busy, and has not yet read what arrived meanwhile. Busy time
 * is not the server's silence.
 */
function watchSilence({ timeout, sleep }: SilenceLimit): SilenceWatch {
  const silent = new AbortController();
  const ended = new AbortController();
  let steps = 0;
  const count = async (): Promise<void> => {
    while (steps < STEPS) {
      await sleep(timeout / STEPS, ended.signal);
      if (ended.signal.aborted) return;
      steps += 1;
    }
    silent.abort(new SilenceError(timeout));
  };
  void count();
  return { signal: silent.signal, onProgress: () => void (steps = 0), end: () => ended.abort() };
}

/** Aborted after so many milliseconds, as the signal of `AbortSignal.timeout`. */
export function startTimeLimit(milliseconds: number, sleep: Sleep): Pick<SilenceWatch, "signal" | "end"> {
  const over = new AbortController();
  const ended = new AbortController();
  void sleep(milliseconds, ended.signal).then(() => {
    if (!ended.signal.aborted) over.abort(new DOMException("the time is up", "TimeoutError"));
  });
  return { signal: over.signal, end: () => ended.abort() };
}

export const systemSleep: Sleep = (milliseconds, signal) =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
