import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countCompleted,
  type Isolation,
  isolateSuspects,
  narrowSuspects,
  NO_ISOLATION,
} from "../../../../src/cli/commands/run/isolation.ts";

const CHECKS = ["a", "b", "c", "d", "e"];

function listGroups({ groups }: Isolation): readonly string[] {
  return groups.map(({ checks }) => checks.join(" "));
}

/** Every group completes a cycle. */
function completeAll(isolation: Isolation): Isolation {
  return isolation.groups.reduce(countCompleted, isolation);
}

function completeCommon(isolation: Isolation): Isolation {
  return { ...isolation, hasCommonEnded: false };
}

test("the checks that ran when the common process ended run apart, together", () => {
  const isolation = isolateSuspects(NO_ISOLATION, { running: ["b", "c"], begun: CHECKS });
  assert.deepEqual(listGroups(isolation), ["b c"]);
});

test("if all ran, halves of them run apart", () => {
  assert.deepEqual(listGroups(isolateSuspects(NO_ISOLATION, { running: CHECKS, begun: CHECKS })), ["a b c", "d e"]);
  assert.deepEqual(listGroups(isolateSuspects(NO_ISOLATION, { running: ["a"], begun: ["a"] })), ["a"]);
});

test("an end while no check ran is no check's fault", () => {
  assert.deepEqual(listGroups(isolateSuspects(NO_ISOLATION, { running: [], begun: CHECKS })), []);
});

test("if the common process ends again without the suspects, all that it began with run apart", () => {
  const first = isolateSuspects(NO_ISOLATION, { running: ["e"], begun: CHECKS });
  const second = isolateSuspects(first, { running: ["d"], begun: ["a", "b", "c", "d"] });
  assert.deepEqual(listGroups(second), ["e", "a b", "c d"]);
  const later = isolateSuspects(completeCommon(first), { running: ["d"], begun: ["a", "b", "c", "d"] });
  assert.deepEqual(listGroups(later), ["e", "d"]);
});

test("a group that ends is narrowed down to one check", () => {
  let isolation = isolateSuspects(NO_ISOLATION, { running: CHECKS.slice(0, 4), begun: CHECKS });
  const narrowGuilty = (running: readonly string[]): void => {
    for (const group of isolation.groups)
      isolation = group.checks.includes("c")
        ? narrowSuspects(isolation, group, { running, begun: group.checks })
        : countCompleted(isolation, group);
  };
  narrowGuilty(["b", "c", "d"]);
  assert.deepEqual(listGroups(isolation), ["b c d", "a"]);
  narrowGuilty(["b", "c", "d"]);
  assert.deepEqual(listGroups(isolation), ["b c", "d"]);
  narrowGuilty(["b", "c"]);
  assert.deepEqual(listGroups(isolation), ["b", "c"]);
  narrowGuilty(["c"]);
  assert.deepEqual(listGroups(isolation), ["c"]);
  narrowGuilty(["c"]);
  assert.deepEqual(listGroups(isolation), ["c"]);
});

test("a check that completes returns, after twice as many cycles each time it comes back", () => {
  let isolation = NO_ISOLATION;
  const stays: number[] = [];
  for (let fault = 0; fault < 12; fault += 1) {
    isolation = isolateSuspects(completeCommon(isolation), { running: ["b"], begun: CHECKS });
    let cycles = 0;
    for (; isolation.groups.length > 0; cycles += 1) isolation = completeAll(isolation);
    stays.push(cycles);
  }
  assert.deepEqual(stays, [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256, 256]);
});
