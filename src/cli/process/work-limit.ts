import { performance } from "node:perf_hooks";
import { createContext, Script } from "node:vm";
import { isObject } from "../../model/json.ts";
import type { LimitedWork, StartWorkLimit } from "../../runner/plan/check-code.ts";

/** Enough for any check that is not stuck, also at the end of a cycle. */
const MIN_MS = 1_000;

const CALL = new Script("work()");
const SANDBOX = { work: (): void => {} };

/**
 * Ends the code of a check that computes for longer than a read may receive nothing, or beyond the end of its cycle: expressions of
 * others may not come back. V8 ends them from another thread, and the other checks go on.
 */
export const startWorkLimit: StartWorkLimit = ({ checkTimeout, cycleTimeout }) => {
  const end = performance.now() + cycleTimeout;
  const getTime = (): number => Math.ceil(Math.max(MIN_MS, Math.min(checkTimeout, end - performance.now())));
  return (items, work) => doEach(items, work, getTime);
};

/** Under one watch for all, since each is a thread: 0.1 ms of CPU. */
function doEach<I, T>(items: readonly I[], work: (item: I) => T, getTime: () => number) {
  const done: (readonly [I, LimitedWork<T>])[] = [];
  while (done.length < items.length) {
    const first = done.length;
    const milliseconds = getTime();
    const isWhole = callWithin(milliseconds, () => {
      for (const item of items.slice(first)) done.push([item, { kind: "done", value: work(item) }]);
    });
    // Only the first item had all of the time: one that was ended after others begins again, as the first.
    if (!isWhole && done.length === first)
      for (const item of items.slice(first, first + 1)) done.push([item, { kind: "late", milliseconds }]);
  }
  return done;
}

/** Whether it came back. */
function callWithin(milliseconds: number, work: () => void): boolean {
  SANDBOX.work = work;
  try {
    CALL.runInContext(createContext(SANDBOX), { timeout: milliseconds });
    return true;
  } catch (thrown) {
    // An error of the other context, so it is none of this one's `Error`.
    if (!isObject(thrown) || thrown["code"] !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw thrown;
    return false;
  }
}
