import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { RESULT, RUNNER } from "../../src/controller/api/api-paths.ts";
import { selectPreflightConditions } from "../../src/lift/progress/preflight-conditions.ts";
import { findCondition } from "../../src/model/object.ts";
import { textAt } from "../../src/model/json.ts";
import { listPods, readClusterVersion, readObject, type Stage } from "../operator/stage.ts";
import type { Observed, World } from "./world.ts";
import { createWriteCounter } from "./write-counter.ts";

const POLL_MS = 100;
/** Longer than the controller's poll of the document. Looks are counted, not time: both take longer on a busy machine. */
const QUIET_LOOKS = 10;
const SETTLE_MS = 90_000;

/** Waits until nothing is written, the runner is up or gone, and the judge agrees; fails with what the judge said last. */
export function createSettle(set: Stage): World["settle"] {
  const countWrites = createWriteCounter(set.cluster);
  return async (judge) => {
    const end = Date.now() + SETTLE_MS;
    for (;;) {
      await waitForQuiet(set, countWrites);
      const observed = await observe(set, countWrites);
      try {
        await assertAtRest(set, observed);
        judge(observed);
        return observed;
      } catch (thrown) {
        if (Date.now() > end) throw thrown;
      }
    }
  };
}

async function waitForQuiet(set: Stage, countWrites: () => Promise<number>): Promise<void> {
  for (let last = "", looks = 0; looks < QUIET_LOOKS; await sleep(POLL_MS)) {
    const now = `${await countWrites()} ${textAt(await readObject(set.api, RUNNER), "metadata", "uid")}`;
    [last, looks] = [now, now === last ? looks + 1 : 0];
  }
}

async function observe({ api, run }: Stage, countWrites: () => Promise<number>): Promise<Observed> {
  const clusterVersion = await readClusterVersion(api);
  const result = await readObject(api, RESULT);
  const runner = await readObject(api, RUNNER);
  const image = textAt(runner, "metadata", "annotations", "preflight-target-image");
  return {
    clusterVersion,
    runner: image === undefined ? undefined : { image, uid: textAt(runner, "metadata", "uid") ?? "" },
    hasResult: result !== undefined,
    status: (await run("status")).out,
    writes: await countWrites(),
  };
}

/** A runner that is there checks and has a result; of one that is gone, no pod is left. */
async function assertAtRest({ api }: Stage, { clusterVersion, runner }: Observed): Promise<void> {
  const describe = (type: string): string => {
    const condition = findCondition(clusterVersion, type);
    return `${textAt(condition, "status")} ${textAt(condition, "reason")}`;
  };
  if (runner === undefined) return assert.deepEqual(await listPods(api), []);
  assert.equal(selectPreflightConditions(clusterVersion).length, 3);
  assert.equal(describe("PreflightRunning"), "True Checking");
  assert.match(describe("PreflightCompleted"), /^True /);
}
