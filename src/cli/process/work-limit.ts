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
  return (run) => callWithin(Math.ceil(Math.max(MIN_MS, Math.min(checkTimeout, end - performance.now()))), run);
};

function callWithin<T>(milliseconds: number, run: () => T): LimitedWork<T> {
  let result: LimitedWork<T> = { kind: "late", milliseconds };
  SANDBOX.work = () => {
    result = { kind: "done", value: run() };
  };
  try {
    CALL.runInContext(createContext(SANDBOX), { timeout: milliseconds });
  } catch (thrown) {
    // An error of the other context, so it is none of this one's `Error`.
    if (!isObject(thrown) || thrown["code"] !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw thrown;
  }
  return result;
}
