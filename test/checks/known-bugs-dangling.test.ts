import assert from "node:assert/strict";
import { test } from "node:test";
import { type PredicateValues, decide } from "../../src/checks/known-bugs/decision.ts";
import { type KeptObject, type PredicatePlan, formatNamesKey } from "../../src/checks/known-bugs/predicate-plan.ts";

const THINGS = "demo.example/v1/things";
const PLAN: PredicatePlan = {
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

function listed(...values: readonly KeptObject[]): PredicateValues[string] {
  return { kind: "found", values };
}

const OTHERS = listed(thing("first", "b2"), thing("left", "b1"), thing("own"));

test("lists the objects whose names differ from those of the one object", () => {
  const result = decide(PLAN, { k: OTHERS, [formatNamesKey("k")]: { kind: "found", value: thing("first", "b2") } });
  assert.equal(result.truth, "yes");
  assert.deepEqual(
    result.objects.map(({ name }) => name),
    ["left"],
  );
});

test("is no if the one object doesn't exist, and unknown if it could not be read", () => {
  assert.equal(decide(PLAN, { k: OTHERS, [formatNamesKey("k")]: { kind: "absent", what: "object" } }).truth, "no");
  assert.deepEqual(decide(PLAN, { k: OTHERS }).failed, [formatNamesKey("k")]);
});

const MATCHED: PredicatePlan = {
  kind: "read",
  key: "k",
  predicate: {
    dangling: { each: THINGS, where: { at: "spec", is: "present" } },
    names: "metadata.labels[keys]",
    all: true,
    missingIn: { each: THINGS, where: { at: "spec.on", equals: true }, at: "spec.selects[]" },
  },
};

test("lists the objects whose names don't exist, and those without names", () => {
  const { truth, objects } = decide(MATCHED, {
    k: listed(thing("matched", "a", "b"), thing("other", "c"), thing("bare")),
    [formatNamesKey("k")]: listed(thing("selector", "b")),
  });
  assert.equal(truth, "yes");
  assert.deepEqual(
    objects.map(({ name }) => name),
    ["other", "bare"],
  );
});

test("treats a kind that isn't served as one without names", () => {
  const absent = { kind: "absent", what: "resource" } as const;
  assert.equal(decide(MATCHED, { k: listed(thing("bare")), [formatNamesKey("k")]: absent }).truth, "yes");
  assert.equal(decide(MATCHED, { k: listed(), [formatNamesKey("k")]: absent }).truth, "no");
});
