import assert from "node:assert/strict";
import { test } from "node:test";
import { countCycle, listSuspects, type Suspects } from "../../../../src/cli/commands/run/child-cycles.ts";
import type { SeparateResult } from "../../../../src/runner/isolation.ts";

const JUDGED: SeparateResult = { kind: "judged", updates: [] };
const UNKNOWN: SeparateResult = {
  kind: "unknown",
  unknown: { reason: "OutOfMemory", where: "check b", message: "the process that ran it alone ended" },
};

function count(suspects: Suspects, result: SeparateResult): Suspects {
  return countCycle(suspects, new Map([["b", result]]));
}

test("a check that completes returns, after twice as many cycles each time it comes back", () => {
  let suspects: Suspects = new Map();
  const stays: number[] = [];
  for (let fault = 0; fault < 12; fault += 1) {
    suspects = count(suspects, JUDGED);
    let cycles = 0;
    for (; listSuspects(suspects).length > 0; cycles += 1) suspects = count(suspects, JUDGED);
    stays.push(cycles);
  }
  assert.deepEqual(stays, [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256, 256]);
});

test("a check whose own process ends stays alone", () => {
  let suspects = count(new Map(), UNKNOWN);
  for (let cycle = 0; cycle < 5; cycle += 1) suspects = count(suspects, UNKNOWN);
  assert.deepEqual(listSuspects(suspects), ["b"]);
  assert.deepEqual(listSuspects(count(suspects, JUDGED)), []);
});

test("a cycle that judged nothing apart changes nothing", () => {
  const suspects = count(new Map(), JUDGED);
  assert.deepEqual(countCycle(suspects, new Map()), suspects);
});
