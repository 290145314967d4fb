import assert from "node:assert/strict";
import { test } from "node:test";
import { runJobs } from "../../../verify/tests/job-queue.ts";
import type { Job } from "../../../verify/tests/plan.ts";

/** Runs jobs of these loads, the first one ends first; tells which ran at once, at each begin. */
async function runLoads(loads: readonly number[], processes: number, processors: number): Promise<readonly string[]> {
  const running = new Set<number>();
  const seen: string[] = [];
  const jobs = loads.map((load): Job => ({ files: [], seconds: 1, load }));
  const results = await runJobs(jobs, { processes, processors }, async (_, id) => {
    running.add(id);
    seen.push([...running].join());
    for (let turn = 0; turn < 10 * (id + 1); turn += 1) await Promise.resolve();
    running.delete(id);
    return id;
  });
  assert.deepEqual(results.toSorted(), [...loads.keys()]);
  return seen;
}

test("jobs that wait most of the time run beside more others", async () => {
  assert.deepEqual(await runLoads([0.5, 0.5, 0.5, 0.5, 0.5], 9, 2), ["0", "0,1", "0,1,2", "0,1,2,3", "1,2,3,4"]);
  assert.deepEqual(await runLoads([1, 1, 1], 9, 2), ["0", "0,1", "1,2"]);
});

test("no more processes run than are allowed, and a job that is too heavy runs alone", async () => {
  assert.deepEqual(await runLoads([0.5, 0.5, 0.5], 2, 9), ["0", "0,1", "1,2"]);
  assert.deepEqual(await runLoads([0.5, 3, 0.5], 9, 2), ["0", "1", "2"]);
  assert.deepEqual(await runLoads([], 9, 2), []);
});
