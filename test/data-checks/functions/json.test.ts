import { strict as assert } from "node:assert";
import { test } from "node:test";
import { formatValue, valueToJson } from "../../../src/data-checks/functions/values.ts";
import { CHECK_FUNCTIONS, CHECK_MACROS } from "../../../src/data-checks/functions/table.ts";
import type { Json } from "../../../src/model/json.ts";
import {
  openActivation,
  DYN,
  compileObjectExpression,
  evaluateExpression,
  jsonToValue,
  buildError,
  type CelValue,
} from "../../../src/schema/cel/index.ts";

function evaluate(text: string): { readonly value: CelValue; readonly cost: bigint | number } {
  const compiled = compileObjectExpression(text, {
    variables: [["object", DYN]],
    functions: CHECK_FUNCTIONS,
    macros: CHECK_MACROS,
  });
  if (compiled.kind === "fault") assert.fail(compiled.message);
  const evaluation = evaluateExpression(compiled, [jsonToValue({})]);
  return evaluation.kind === "value" ? evaluation : assert.fail(evaluation.text);
}

const VALUES: readonly (readonly [expression: string, text: string, json?: Json])[] = [
  ["1", "1", 1],
  ["1.0", "1.0", 1],
  ["1.5", "1.5", 1.5],
  ["-0.5", "-0.5", -0.5],
  ["1.0 / 0.0", "Infinity"],
  ["1u", "1u"],
  ["'a\"b'", String.raw`"a\"b"`, 'a"b'],
  ["b'a'", "<bytes>"],
  ["null", "null", null],
  ["true", "true", true],
  ["[1, 2]", "[1, 2]", [1, 2]],
  ["[]", "[]", []],
  ["{}", "{}", {}],
  ["{'a': {'b': [1]}}", '{"a": {"b": [1]}}', { a: { b: [1] } }],
  ["{'a': dyn(null), 'b': dyn(1)}", '{"a": null, "b": 1}', { a: null, b: 1 }],
  ["{1: 'a'}", '{1: "a"}'],
  ["{'a': {2: 1}}", '{"a": {2: 1}}'],
  ["9007199254740991", "9007199254740991", 9007199254740991],
  ["9007199254740992", "9007199254740992", 2n ** 53n],
  ["-9223372036854775808", "-9223372036854775808", -(2n ** 63n)],
  ["[1, 9007199254740993]", "[1, 9007199254740993]", [1, 2n ** 53n + 1n]],
  ["timestamp('2024-01-01T00:00:00Z')", 'timestamp("2024-01-01T00:00:00Z")'],
  ["duration('1h')", 'duration("3600s")'],
  ["[duration('1h')]", '[duration("3600s")]'],
  ["{'a': duration('1h')}", '{"a": duration("3600s")}'],
  ["optional.of(1)", "optional(1)"],
  ["optional.none()", "none"],
  ["version('1.2.3')", "semver(1.2.3)"],
  ["version('1.2.3-rc.1')", "semver(1.2.3-rc.1)"],
  ["url('https://a')", 'url("https://a")'],
  ["type(1)", "int"],
  ["quantity('1')", "<quantity>"],
  ["ip('1.1.1.1')", "<ip>"],
];

for (const [expression, text, json] of VALUES) {
  test(`${expression} is written as CEL has it, and ${json === undefined ? "is no JSON" : "as JSON"}`, () => {
    const { value } = evaluate(expression);
    assert.equal(formatValue(value), text);
    assert.deepEqual(valueToJson(value, openActivation([])), json);
  });
}

test("a value that is none is written with the reason", () => {
  assert.equal(formatValue(buildError("it is odd")), "no value: it is odd");
  assert.equal(formatValue(buildError("")), "no value: a read failed");
  assert.equal(valueToJson(buildError("it is odd"), openActivation([])), undefined);
});

test("a function costs what it reads", () => {
  const rows: readonly (readonly [expression: string, cost: number])[] = [
    ["condition(object, 'a')", 11],
    ["podSpec(object)", 11],
    ["images(object)", 11],
    ["matchesSelector({}, {})", 10],
    ["matchesSelector({'matchLabels': {'a': 'b'}}, {'a': 'b'})", 11],
    ["ref({'kind': 'Pod', 'apiVersion': 'v1', 'name': 'a'})", 10],
    ["leaves([1, 2, 3])", 4],
    ["leaves(1)", 2],
    ["names(['a', 'b'])", 1],
  ];
  assert.deepEqual(
    rows.map(([expression]) => [expression, Number(evaluate(expression).cost)]),
    rows,
  );
});
