import assert from "node:assert/strict";
import { test } from "node:test";
import { createTraffic } from "../../src/cluster/access/traffic.ts";
import { formatTraffic } from "../../src/cli/client/verbose-reader.ts";

test("counts requests, bytes, the longest chain, and the time with any request under way", () => {
  let now = 1_000;
  const traffic = createTraffic({ now: () => now });
  now += 200;
  const first = traffic.begin();
  const beside = traffic.begin();
  now += 100;
  first.onBytes(1_000);
  first.end();
  const second = traffic.begin();
  now += 100;
  beside.end();
  second.onBytes(500);
  second.end();
  now += 1_000;
  const third = traffic.begin();
  now += 50;
  third.end();
  const summary = traffic.summarize();
  assert.deepEqual(summary, { requests: 4, rounds: 3, bytes: 1_500, busyMs: 250, totalMs: 1_450 });
  const text = "4 requests in 3 rounds, 2 KiB; 0.25 s of 1.45 s with requests under way";
  assert.equal(formatTraffic(summary), text);
});
