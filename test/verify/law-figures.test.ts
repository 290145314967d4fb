import assert from "node:assert/strict";
import { test } from "node:test";
import { computePower, formatLaws } from "../../verify/bench/law-figures.ts";

const grow = (cost: (size: number) => number): ReadonlyMap<number, number> =>
  new Map([10, 100, 1_000, 10_000].map((size) => [size, cost(size)]));

for (const [what, cost, expected] of [
  ["in proportion, after a start", (size: number) => 5 + size / 100, "1.00"],
  ["quadratic", (size: number) => 5 + size ** 2 / 1_000, "1.99"],
  ["by the root", (size: number) => Math.sqrt(size), "0.53"],
] as const)
  test(`the power of what grows ${what}`, () => {
    assert.equal(computePower(grow(cost), 0.1)?.toFixed(2), expected);
  });

test("nothing is said of what hardly grows, or has too few sizes", () => {
  const few = new Map([10, 100].map((size) => [size, size]));
  const powers = [grow(() => 5), grow((size) => 5 - size / 1_000), few].map((costs) => computePower(costs, 0.1));
  assert.deepEqual(powers, [undefined, undefined, undefined]);
});

test("a law is a row with all of its figures", () => {
  const points = new Map([1, 10, 100].map((size) => [size, { cpuSeconds: size, peakMib: 90, requests: 9 }]));
  assert.equal(
    formatLaws([{ name: "nodes", points }])
      .split("\n")
      .at(-1),
    "| nodes | 1, 10, 100 | 1.00, 10.00, 100.00 | 1.00 | 90, 90, 90 | too little to say | 9, 9, 9 |",
  );
});
