import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextSet } from "../../src/cluster/access/list-evidence.ts";

test("tells a text that was added before from one that wasn't", () => {
  const set = createTextSet();
  const names = ["", "a", "b", "ab", "ba", "demo/a", "ä", "a".repeat(1_000)];
  assert.deepEqual(
    [...names, ...names].map((name) => set.add(name)),
    [...names.map(() => true), ...names.map(() => false)],
  );
});

test("takes 200,000 names that differ in little for different ones, in 8 bytes for each of twice as many", () => {
  const COUNT = 200_000;
  const set = createTextSet();
  const before = process.memoryUsage().arrayBuffers;
  let repeated = 0;
  for (let i = 0; i < COUNT; i += 1) if (!set.add(`namespace-${i % 500}/pod-${i}`)) repeated += 1;
  assert.equal(repeated, 0);
  for (let i = 0; i < COUNT; i += 1_000) assert.equal(set.add(`namespace-${i % 500}/pod-${i}`), false);
  // The last two sizes, if the smaller one is not collected yet, and those before it.
  assert.ok(process.memoryUsage().arrayBuffers - before < 16 * COUNT * 4);
});
