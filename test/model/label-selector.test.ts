import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesRequirement, matchesSelector, parseLabels, parseSelector } from "../../src/model/object.ts";
import type { JsonObject } from "../../src/model/json.ts";

test("a selector has a requirement for each label and each expression", () => {
  const selector: JsonObject = {
    matchLabels: { a: "b", odd: 1 },
    matchExpressions: [{ key: "c", operator: "NotIn", values: ["d", 2] }, {}],
  };
  const expected = [
    { key: "a", operator: "In", values: ["b"] },
    { key: "odd", operator: "In", values: [] },
    { key: "c", operator: "NotIn", values: ["d"] },
    { key: "", operator: "", values: [] },
  ];
  assert.deepEqual(parseSelector({ selector }, "selector"), expected);
  assert.deepEqual(parseSelector({}, "selector"), []);
});

test("a requirement is met as the API server decides", () => {
  const meets = (operator: string): readonly boolean[] =>
    ["b", "c", undefined].map((value) => matchesRequirement({ key: "a", operator, values: ["b"] }, value));
  const operators = ["In", "NotIn", "Exists", "DoesNotExist", "Other"];
  assert.deepEqual(operators.map(meets), [
    [true, false, false],
    [false, true, true],
    [true, true, false],
    [false, false, true],
    [false, false, false],
  ]);
});

test("a selector needs all of its requirements, of labels that an object has itself", () => {
  const a = { key: "a", operator: "In", values: ["b"] };
  const absent = { key: "constructor", operator: "DoesNotExist", values: [] };
  assert.ok(a && absent);
  const matches = [[], [a], [a, absent], [absent]].map((one) => matchesSelector(one, { a: "c" }));
  assert.deepEqual(matches, [true, false, false, true]);
  assert.equal(matchesSelector([a, absent], { a: "b" }), true);
});

test("labels are texts", () => {
  assert.deepEqual(parseLabels({ a: { b: "c", d: 1, e: null } }, "a"), { b: "c" });
  assert.deepEqual(parseLabels({}, "a"), {});
});
