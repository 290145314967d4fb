import assert from "node:assert/strict";
import { test } from "node:test";
import { createLoopMonitor } from "../../src/controller/work-loop.ts";

test("work that does not end counts as stuck, and a pause between two units of work does not", async () => {
  let now = 0;
  const monitor = createLoopMonitor(() => now);
  assert.equal(monitor.hasProgressed(), false);
  await monitor.track(async () => undefined);
  now = 3_600_000;
  assert.deepEqual([monitor.hasProgressed(), monitor.findStuck()], [true, undefined]);
  let finish = (): void => {};
  const work = monitor.track(() => new Promise<void>((resolve) => (finish = resolve)));
  now += 300_000;
  assert.equal(monitor.findStuck(), undefined);
  now += 1_000;
  assert.equal(monitor.findStuck(), "a reconciliation has been running for 301 seconds");
  finish();
  await work;
  assert.equal(monitor.findStuck(), undefined);
});

test("a leader election that stops iterating counts as stuck", () => {
  let now = 0;
  const monitor = createLoopMonitor(() => now);
  monitor.beat();
  now = 301_000;
  assert.equal(monitor.findStuck(), "the leader election has made no progress for 301 seconds");
  monitor.beat();
  assert.equal(monitor.findStuck(), undefined);
});

test("failed work no longer counts as running", async () => {
  let now = 0;
  const monitor = createLoopMonitor(() => now);
  await assert.rejects(
    monitor.track(async () => Promise.reject(new Error("a fault"))),
    /a fault/,
  );
  now = 301_000;
  assert.equal(monitor.findStuck(), undefined);
});
