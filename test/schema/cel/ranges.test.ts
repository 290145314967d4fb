import { strict as assert } from "node:assert";
import { test } from "node:test";
import {
  type DataPath,
  type Range,
  NO_PATH,
  append,
  collectSteps,
  findDataPath,
  LARGEST,
  add,
  asBits,
  fixed,
  multiply,
  scale,
  union,
  wrapped,
} from "../../../src/schema/cel/cost/coster.ts";
import { toNative } from "../../../src/schema/cel/values/unstructured.ts";
import { NO_OVERLOAD, buildError, buildMissing, joinErrors } from "../../../src/schema/cel/values/value.ts";

const LIMIT = 18_446_744_073_709_551_616;

test("the limit of a cost is the first number beyond 64 bits", () => assert.equal(LARGEST, LIMIT));

const ROWS: readonly (readonly [what: string, range: Range, min: number, max: number])[] = [
  ["no sum", add(), 0, 0],
  ["a sum", add({ min: 1, max: 20 }, { min: 3, max: 50 }), 4, 70],
  ["a sum of three", add(fixed(1), fixed(2), { min: 3, max: 4 }), 6, 7],
  ["a sum beyond the limit", add({ min: LIMIT, max: LIMIT }, { min: 5_000, max: LIMIT }), LIMIT, LIMIT],
  ["a product", multiply({ min: 2, max: 5 }, { min: 3, max: 7 }), 6, 35],
  ["a product beyond the limit", multiply({ min: 2, max: LIMIT }, { min: LIMIT, max: 2 }), LIMIT, LIMIT],
  ["a part, rounded up", scale({ min: 11, max: 21 }, 0.1), 2, 3],
  ["a part without a rest", scale({ min: 10, max: 20 }, 0.1), 1, 2],
  ["several times the limit", scale({ min: LIMIT, max: LIMIT }, 2), LIMIT, LIMIT],
  ["either", union({ min: 2, max: 5 }, { min: 3, max: 7 }), 2, 7],
  ["either, the second one less", union({ min: 3, max: 7 }, { min: 2, max: 5 }), 2, 7],
];

for (const [what, range, min, max] of ROWS) {
  test(`ranges of costs: ${what}`, () => assert.deepEqual(range, { min, max }));
}

test("a size is calculated in 64 bits", () => {
  const sizes = [0n, 5n, -1n, -2n, 2n ** 64n, 2n ** 64n + 3n, 2n ** 63n].map(wrapped);
  assert.deepEqual(sizes, [0, 5, LIMIT, LIMIT, 0, 3, 2 ** 63]);
  assert.deepEqual([0, 7, LIMIT, LIMIT * 2].map(asBits), [0n, 7n, 2n ** 64n - 1n, 2n ** 64n - 1n]);
});

const show = (path: DataPath): readonly [string, number, number] => [
  collectSteps(path).join("."),
  path.length,
  path.capacity,
];

test("a path that grows shares its memory with the one that it comes from as a slice of Go does", () => {
  assert.deepEqual(show(NO_PATH), ["", 0, 0]);
  assert.deepEqual(show(append(NO_PATH, "a")), ["a", 1, 1]);
  const self = findDataPath("self");
  assert.deepEqual(show(self), ["self", 1, 1]);
  const two = append(self, "a");
  assert.deepEqual(show(two), ["self.a", 2, 2]);
  const three = append(two, "b");
  assert.deepEqual(show(three), ["self.a.b", 3, 4]);
  const four = append(three, "c");
  assert.deepEqual(show(four), ["self.a.b.c", 4, 4]);
  assert.deepEqual(show(append(three, "d")), ["self.a.b.d", 4, 4]);
  assert.deepEqual(show(four), ["self.a.b.d", 4, 4]);
  assert.deepEqual(show(append(four, "e")), ["self.a.b.d.e", 5, 8]);
  assert.deepEqual(show(two), ["self.a", 2, 2]);
});

test("of two failures the first is kept, with what both lack", () => {
  const one = buildError("one");
  const other = buildError("other");
  assert.equal(joinErrors(one, other), one);
  assert.deepEqual(joinErrors(one, buildMissing("a")), { kind: "failure", text: "one", missing: ["a"] });
  assert.deepEqual(joinErrors(buildMissing("a"), other), { kind: "failure", text: "other", missing: ["a"] });
  const both = joinErrors(joinErrors(buildMissing("b"), buildMissing("a")), buildMissing("b"));
  assert.deepEqual(both, { kind: "failure", text: "", missing: ["b", "a"] });
});

test("an optional value that is read again loses what only the API server knows", () => {
  assert.equal(toNative({ kind: "optional", value: undefined }), null);
  assert.equal(toNative({ kind: "optional", value: { kind: "optional", value: 1n } }), 1n);
  assert.equal(toNative({ kind: "type", name: "int" }), "int");
  assert.equal(toNative("a"), "a");
  assert.equal(toNative(NO_OVERLOAD), NO_OVERLOAD);
  assert.deepEqual(toNative({ kind: "opaque", json: "a" }), "a");
  assert.deepEqual(toNative({ kind: "opaque", json: 1 }), 1n);
  const address = { kind: "ip", bytes: [1, 2, 3, 4] } as const;
  assert.deepEqual(toNative(address), { kind: "failure", text: "unsupported conversion to ref.Val" });
  assert.deepEqual(toNative({ kind: "duration", nanos: 1n }), { kind: "duration", nanos: 1n });
});
