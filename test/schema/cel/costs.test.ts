import { strict as assert } from "node:assert";
import { test } from "node:test";
import { API_SERVER_FUNCTIONS } from "../../../src/schema/cel/library/api-server.ts";
import { API_SERVER_MACROS } from "../../../src/schema/cel/syntax/macros.ts";
import { openActivation } from "../../../src/schema/cel/runtime/environment.ts";
import { compile } from "../../../src/schema/cel/runtime/compiler.ts";
import { jsonToValue } from "../../../src/schema/cel/values/unstructured.ts";
import type { CelValue } from "../../../src/schema/cel/values/value.ts";
import { parseExpression } from "../../../src/schema/cel/syntax/parser.ts";

const VARIABLES = { l: [1, 2, 3, 4, 5], e: [], s: ["a", "bb", "ccc"], m: { a: 1, b: 2, c: 3 } };

function evaluate(text: string): readonly [value: CelValue, cost: number] {
  const names = Object.keys(VARIABLES);
  const slots = new Map(names.map((name, i) => [name, i]));
  const environment = { slots, size: names.length, functions: API_SERVER_FUNCTIONS };
  const frame = openActivation(Object.values(VARIABLES).map((value) => jsonToValue(value)));
  return [compile(parseExpression(text, API_SERVER_MACROS), environment)(frame), frame.spent];
}

/** As cel-go 0.26 with the API server's libraries charges them (Program.Eval with cel.CostTracking). */
const COSTS: readonly (readonly [text: string, cost: number])[] = [
  ["l.all(x, x > 0)", 27],
  ["e.all(x, x > 0)", 2],
  ["l.all(x, x < 3)", 19],
  ["l.all(x, x < 5)", 27],
  ["l.exists(x, x > 9)", 32],
  ["l.exists(x, x == 1)", 11],
  ["l.exists(x, x == 5)", 32],
  ["l.exists_one(x, x == 3)", 15],
  ["l.exists_one(x, x > 3)", 17],
  ["l.map(x, x + 1).size() == 5", 74],
  ["l.map(x, 1).size() == 5", 14],
  ["l.map(x, x > 2, x + 1).size() == 3", 56],
  ["l.filter(x, x > 2).size() == 3", 53],
  ["m.exists(k, k == 'z')", 20],
  ["l.all(i, x, i < x)", 32],
  ["l.transformList(i, x, i > 1, i + x).size() == 3", 59],
  ["l.transformMap(i, x, x + 1).size() == 5", 29],
  ["l.transformMap(i, x, i > 1, x + 1).size() == 3", 29],
  ["m.transformMapEntry(k, v, {v: k}).size() == 3", 106],
  ["optional.of(l).optMap(v, v.size()).hasValue()", 10],
  ["optional.of(l).optFlatMap(v, optional.of(v)).hasValue()", 9],
  ["optional.none().optMap(v, v).hasValue()", 4],
  ["l.sortBy(x, x).size() == 5", 132],
  ["s.sort().size() == 3", 32],
  ["(l[0] == 1 ? l[1] : l[2]) == 2", 5],
  ["(l[0] == 1 ? m.a : m.b) == 1", 5],
  ["l[0] == 1 ? l.size() == 5 : false", 6],
  ["l.map(x, l.map(y, x * y)).size() == 5", 449],
];

for (const [text, cost] of COSTS) test(`${text} costs ${cost}`, () => assert.deepEqual(evaluate(text)[1], cost));

test("a macro's result is a value of its own, to which nothing is added in place", () => {
  const [value] = evaluate("[l.map(x, x)].all(r, (r + [6]).size() == 6 && r.size() == 5)");
  assert.equal(value, true);
});

test("where no element decides, all and exists fail with the first failure, and the others with the last", () => {
  const failures = ["all", "exists", "exists_one", "filter", "map"].map(
    (macro) => evaluate(`s.${macro}(x, {'z': 1}[x] == 1)`)[0],
  );
  assert.deepEqual(
    failures,
    ["a", "a", "ccc", "ccc", "a"].map((key) => ({ kind: "failure", text: `no such key: ${key}` })),
  );
});

test("flattening costs each item as often as the depth says, and a negative depth more than any budget", () => {
  assert.deepEqual(evaluate("e.flatten(-1)")[0], { kind: "failure", text: "level must be non-negative" });
  const [once, thrice] = [1, 3].map((depth) => evaluate(`l.flatten(${depth})`)[1]);
  assert.equal((thrice ?? 0) - (once ?? 0), 10);
  assert.throws(() => evaluate("l.flatten(-9)"), /over the limit/);
});
