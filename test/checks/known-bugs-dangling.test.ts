import assert from "node:assert/strict";
import { test } from "node:test";
import { type PlanValues, decide } from "../../src/checks/known-bugs/decision.ts";
import { type KeptObject, type Plan, formatNamesKey } from "../../src/checks/known-bugs/plan.ts";

const THINGS = "demo.example/v1/things";
const PLAN: Plan = {
  kind: "read",
  key: "k",
  predicate: {
    dangling: { each: THINGS, where: { at: "spec", is: "present" } },
    names: "spec.build",
    missingIn: { get: THINGS, name: "first", at: "spec.build" },
  },
};

function thing(name: string, ...names: readonly string[]): KeptObject {
  return { ref: { apiVersion: "demo.example/v1", kind: "Thing", name }, truth: "yes", names };
}

function listed(...values: readonly KeptObject[]): PlanValues[string] {
  return { kind: "found", values };
}

const OTHERS = listed(thing("first", "b2"), thing("left", "b1"), thing("own"));

test("names the objects whose texts aren't those of the one object", () => {
  const result = decide(PLAN, { k: OTHERS, [formatNamesKey("k")]: { kind: "found", value: thing("first", "b2") } });
  assert.equal(result.truth, "yes");
  assert.deepEqual(
    result.objects.map(({ name }) => name),
    ["left"],
  );
});

test("says no where the one object is not there, and unknown where it could not be read", () => {
  assert.equal(decide(PLAN, { k: OTHERS, [formatNamesKey("k")]: { kind: "absent", what: "object" } }).truth, "no");
  assert.deepEqual(decide(PLAN, { k: OTHERS }).failed, [formatNamesKey("k")]);
});
