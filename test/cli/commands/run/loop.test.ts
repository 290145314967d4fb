import assert from "node:assert/strict";
import { test } from "node:test";
import type { CycleResult } from "../../../../src/model/report.ts";
import { loop, type LoopInput } from "../../../../src/cli/commands/run/run.ts";

const result: CycleResult = {
  kind: "failed",
  failure: { reason: "ClusterUnreachable", message: "m" },
  observedAt: new Date(0),
};

function buildLoopInput(
  more: Partial<LoopInput>,
): LoopInput & { readonly stop: AbortController; readonly slept: number[] } {
  const stop = new AbortController();
  const slept = new Array<number>();
  return {
    stop,
    slept,
    cycle: async () => result,
    publish: async () => true,
    interval: 100_000,
    random: () => 0.5,
    clock: () => 0,
    signal: stop.signal,
    sleep: async (milliseconds) => void slept.push(milliseconds),
    ...more,
  };
}

test("interval 0 runs one cycle", async () => {
  let cycles = 0;
  const cycle = async () => ((cycles += 1), result);
  assert.equal(await loop(buildLoopInput({ interval: 0, cycle })), "published");
  assert.equal(cycles, 1);
});

test("starts cycles an interval apart, with jitter", async () => {
  const times = [0, 30_000, 100_000, 100_000, 200_000, 350_000];
  const randoms = [0, 0.999_999, 0.5];
  const input = buildLoopInput({ clock: () => times.shift() ?? 0, random: () => randoms.shift() ?? 0 });
  const sleep: LoopInput["sleep"] = async (milliseconds) => {
    input.slept.push(Math.round(milliseconds));
    if (input.slept.length === 3) input.stop.abort();
  };
  assert.equal(await loop({ ...input, sleep }), "stopped");
  assert.deepEqual(input.slept, [60_000, 110_000, 0]);
});

test("abandons a running cycle on stop, and publishes nothing more", async () => {
  const told: CycleResult[] = [];
  const input = buildLoopInput({ publish: async (given) => told.push(given) > 0 });
  const cycle = async () => (input.stop.abort(), result);
  assert.equal(await loop({ ...input, cycle }), "stopped");
  assert.deepEqual(told, []);
});

test("retries a failed publish, then gives up until the next cycle", async () => {
  let tries = 0;
  const publish = async () => ((tries += 1), false);
  const input = buildLoopInput({ interval: 0, publish });
  assert.equal(await loop(input), "unpublished");
  assert.equal(tries, 4);
  assert.deepEqual(input.slept, [1_000, 5_000, 15_000]);
});
