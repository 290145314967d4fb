import assert from "node:assert/strict";
import { test } from "node:test";
import { computeSlope, type DayFigures, summarizeDay } from "../../verify/bench/day-figures.ts";

function buildDay(mibOf: (cycle: number) => number): DayFigures {
  const samples = Array.from({ length: 100 }, (_, i) => ({
    cycle: i + 1,
    cpuSeconds: 3 + i * 0.5,
    bytes: (i + 1) * 1_000,
    mib: mibOf(i + 1),
  }));
  return { samples, serverSeconds: 50, requests: 8_000, refused: 0 };
}

test("a day's figures are those of a cycle after the first", () => {
  const day = summarizeDay(buildDay(() => 120));
  assert.deepEqual(day, {
    cycles: 100,
    firstCpuSeconds: 3,
    cpuSeconds: 0.5,
    serverSeconds: 0.5,
    requests: 80,
    refused: 0,
    bytes: 1_000,
    mibOfQuarters: [120, 120, 120, 120],
    slopeMib: 0,
  });
});

test("memory that grows with each cycle shows, and what fills up at first or is let go again does not", () => {
  assert.equal(Math.round(summarizeDay(buildDay((cycle) => 100 + cycle / 10)).slopeMib), 29);
  const filled = summarizeDay(buildDay((cycle) => 100 + Math.min(cycle, 40)));
  assert.deepEqual([filled.mibOfQuarters, filled.slopeMib], [[113, 138, 140, 140], 0]);
  assert.equal(summarizeDay(buildDay((cycle) => (cycle === 60 ? 300 : 100))).slopeMib, 0);
});

test("a slope needs two points", () => {
  assert.equal(computeSlope([[1, 5]]), 0);
  assert.throws(() => summarizeDay({ ...buildDay(() => 1), samples: [] }), /too few cycles/);
});
