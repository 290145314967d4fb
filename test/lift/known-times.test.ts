import assert from "node:assert/strict";
import { test } from "node:test";
import { withKnownTimes } from "../../src/lift/known-times.ts";
import type { JsonObject } from "../../src/model/json.ts";

function condition(type: string, status: string, lastTransitionTime: string, message = ""): JsonObject {
  return { type, status, message, lastTransitionTime };
}

function proposal(applies: JsonObject, recommended: JsonObject, version = "5.1.2"): JsonObject {
  const risk = { name: "A", conditions: [applies] };
  const update = { release: { version }, risks: [risk], conditions: [recommended] };
  return { conditionalUpdates: [update], conditionalUpdateRisks: [risk], problems: [] };
}

const BEFORE = proposal(condition("Applies", "True", "10:00"), condition("Recommended", "False", "10:00"));

test("a condition that an operator sets again with a new time keeps the first one", () => {
  const next = proposal(condition("Applies", "True", "10:05"), condition("Recommended", "False", "10:05"));
  assert.deepEqual(withKnownTimes(next, BEFORE), BEFORE);
});

test("another message is taken over, with the first time", () => {
  const next = proposal(condition("Applies", "True", "10:05", "new"), condition("Recommended", "False", "10:05"));
  const expected = proposal(condition("Applies", "True", "10:00", "new"), condition("Recommended", "False", "10:00"));
  assert.deepEqual(withKnownTimes(next, BEFORE), expected);
});

test("another status, another update and a first proposal have their own times", () => {
  const next = proposal(condition("Applies", "False", "10:05"), condition("Recommended", "True", "10:05"));
  assert.deepEqual(withKnownTimes(next, BEFORE), next);
  const other = {
    ...proposal(condition("Applies", "True", "10:05"), condition("Recommended", "False", "10:05"), "5.0.9"),
  };
  const { conditionalUpdateRisks: _, ...unshared } = other;
  assert.deepEqual(withKnownTimes(unshared, BEFORE), unshared);
  assert.deepEqual(withKnownTimes(next, undefined), next);
});

test("the order of a list doesn't matter", () => {
  const [a, b] = [condition("A", "True", "10:00"), condition("B", "True", "10:01")];
  const next = { conditions: [condition("B", "True", "10:05"), condition("A", "True", "10:05")] };
  assert.deepEqual(withKnownTimes(next, { conditions: [a, b] }), { conditions: [b, a] });
});
