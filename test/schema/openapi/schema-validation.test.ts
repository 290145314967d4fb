import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { JsonObject, Json } from "../../../src/model/json.ts";
import { listErrors, validateField } from "../../../verify/schema/cel/cases.ts";

const STRING = { type: "string" } as const;
const INTEGER = { type: "integer" } as const;

type Row = readonly [what: string, schema: Json, value: Json, errors: readonly string[]];

const ROWS: readonly Row[] = [
  ["a matching type", STRING, "x", []],
  ["a wrong type", STRING, 1, ["TypeInvalid f"]],
  ["an integer is a number", { type: "number" }, 1, []],
  ["a fraction is not an integer", INTEGER, 1.5, ["Invalid f", "TypeInvalid f"]],
  ["a fraction below a billionth is not an integer either", INTEGER, 1.0000000001, ["Invalid f"]],
  ["a fraction of a thousandth", INTEGER, 1.0005, ["Invalid f", "TypeInvalid f"]],
  ["an integer beyond 64 bits", INTEGER, 1e20, ["Invalid f", "TypeInvalid f"]],
  ["the greatest integer of 64 bits", INTEGER, 2n ** 63n - 1n, []],
  ["an integer of 65 bits", INTEGER, 2 ** 63, ["Invalid f", "TypeInvalid f"]],
  ["a list for a string with a format", { type: "string", format: "date-time" }, [1], []],
  ["an allowed null", { type: "string", nullable: true }, null, []],
  ["null in a list", { type: "array", items: STRING }, [null], ["TypeInvalid f[0]"]],
  ["null in an enum of a nullable", { type: "string", nullable: true, enum: ["a", null] }, null, ["NotSupported f"]],
  [
    "a null that is pruned",
    { type: "object", properties: { a: STRING }, required: ["a"] },
    { a: null },
    ["Required f.a"],
  ],
  ["enum", { type: "string", enum: ["", "v2"] }, "v1", ["NotSupported f"]],
  ["enum contains the value", { type: "string", enum: ["", "v2"] }, "", []],
  ["a number truncated to an enum's integer", { type: "number", enum: [1] }, 1.5, []],
  ["a number that is the code of an enum's character", { "x-kubernetes-int-or-string": true, enum: ["A"] }, 65, []],
  [
    "required",
    { type: "object", properties: { a: STRING }, required: ["b", "a"] },
    {},
    ["Required f.a", "Required f.b"],
  ],
  ["equal to the maximum", { ...INTEGER, maximum: 5 }, 5, []],
  ["above the maximum", { ...INTEGER, maximum: 5 }, 6, ["Invalid f"]],
  ["equal to the exclusive maximum", { ...INTEGER, maximum: 5, exclusiveMaximum: true }, 5, ["Invalid f"]],
  ["equal to the minimum", { ...INTEGER, minimum: 5 }, 5, []],
  ["below the minimum", { ...INTEGER, minimum: 5 }, 4, ["Invalid f"]],
  ["equal to the exclusive minimum", { ...INTEGER, minimum: 5, exclusiveMinimum: true }, 5, ["Invalid f"]],
  ["a limit's fraction is truncated for integers", { type: "number", minimum: 0.5 }, 0, []],
  ["a limit's fraction counts for fractions", { type: "number", minimum: 0.5 }, 0.4, ["Invalid f"]],
  ["a limit that its type can't hold", { ...INTEGER, maximum: 1.5 }, 1, ["Invalid f"]],
  ["multipleOf", { ...INTEGER, multipleOf: 5 }, 12, ["Invalid f"]],
  [
    "multipleOf of an integer that no double holds",
    { ...INTEGER, multipleOf: 10 },
    9_007_199_254_740_993n,
    ["Invalid f"],
  ],
  ["multipleOf a fraction", { type: "number", multipleOf: 0.1 }, 0.3, []],
  ["multipleOf a fraction, which is truncated to 0", { type: "number", multipleOf: 0.1 }, 1, ["Invalid f"]],
  ["int32", { ...INTEGER, format: "int32" }, 2 ** 31, ["Invalid f"]],
  ["float", { type: "number", format: "float" }, 1e39, ["Invalid f"]],
  ["maxLength counts code points", { ...STRING, maxLength: 2 }, "\u{1f600}\u{1f600}", []],
  ["maxLength", { ...STRING, maxLength: 2 }, "abc", ["TooLong f"]],
  ["minLength counts code points", { ...STRING, minLength: 2 }, "\u{1f600}", ["Invalid f"]],
  ["the first failure of length and pattern", { ...STRING, maxLength: 2, pattern: "^x" }, "abc", ["TooLong f"]],
  ["pattern matches anywhere", { ...STRING, pattern: "b+" }, "abc", []],
  ["pattern in RE2 syntax", { ...STRING, pattern: "^[[:print:]]+$" }, "a\nb", ["Invalid f"]],
  ["pattern's $ matches only at the end", { ...STRING, pattern: "a$" }, "a\n", ["Invalid f"]],
  ["minItems", { type: "array", items: STRING, minItems: 2 }, ["a"], ["Invalid f"]],
  ["maxItems", { type: "array", items: STRING, maxItems: 1 }, ["a", "b"], ["TooMany f"]],
  ["uniqueItems", { type: "array", items: INTEGER, uniqueItems: true }, [1, 1], ["Invalid f"]],
  [
    "uniqueItems of integers that are one double",
    { type: "array", items: INTEGER, uniqueItems: true },
    [2n ** 53n, 2n ** 53n + 1n],
    [],
  ],
  ["minProperties", { type: "object", additionalProperties: STRING, minProperties: 1 }, {}, ["Invalid f"]],
  [
    "maxProperties",
    { type: "object", additionalProperties: STRING, maxProperties: 1 },
    { a: "", b: "" },
    ["TooMany f"],
  ],
  ["a key of a map", { type: "object", additionalProperties: STRING }, { "a.b": 1 }, ["TypeInvalid f.a.b"]],
  [
    "lists in lists",
    { type: "array", items: { type: "array", items: INTEGER } },
    [[1], [2, "x"]],
    ["TypeInvalid f[1][1]"],
  ],
  ["int or string", { "x-kubernetes-int-or-string": true }, true, ["TypeInvalid f"]],
  ["an unknown format", { ...STRING, format: "ip" }, "x", []],
  ["a format", { ...STRING, format: "ipv4" }, "x", ["TypeInvalid f"]],
  ["not", { ...STRING, not: { enum: ["a"] } }, "a", ["Invalid f"]],
  ["allOf", { ...STRING, allOf: [{ minLength: 2 }, { pattern: "^a" }] }, "b", ["Invalid f", "Invalid f", "Invalid f"]],
  ["anyOf, no match", { ...STRING, anyOf: [{ enum: ["a"] }, { maxLength: 1 }] }, "bc", ["Invalid f", "NotSupported f"]],
  ["anyOf, one match", { ...STRING, anyOf: [{ enum: ["a"] }, { maxLength: 1 }] }, "b", []],
  ["oneOf, two matches", { ...STRING, oneOf: [{ enum: ["a"] }, { maxLength: 1 }] }, "a", ["Invalid f"]],
  ["oneOf, one match", { ...STRING, oneOf: [{ enum: ["a"] }, { maxLength: 1 }] }, "b", []],
];

for (const [what, schema, value, errors] of ROWS) {
  test(`validates as the API server does: ${what}`, () => assert.deepEqual(listErrors(schema, value), errors));
}

test("reports the errors of the alternative that passed the most checks", () => {
  const properties = { a: INTEGER, b: INTEGER, c: { type: "array", items: INTEGER } };
  const anyOf: readonly JsonObject[] = [
    { required: ["c"] },
    { properties: { c: { items: { maximum: 1 } } }, required: ["a"] },
  ];
  assert.deepEqual(listErrors({ type: "object", properties, anyOf }, { b: 1 }), ["Invalid f", "Required f.c"]);
  const second: readonly JsonObject[] = [
    { required: ["a"] },
    { properties: { c: { items: { maximum: 1 } } }, required: ["a"] },
  ];
  assert.deepEqual(listErrors({ type: "object", properties, anyOf: second }, { c: [1, 2] }), [
    "Invalid f",
    "Required f.a",
    "Invalid f.c[1]",
  ]);
});

test("counts the checks of each kind of value as the API server does, and prefers the first of equals", () => {
  const properties = {
    flag: { type: "boolean" },
    other: { type: "boolean" },
    day: STRING,
    list: { type: "array", items: INTEGER },
    count: INTEGER,
  };
  const closest = (first: Json, second: Json): readonly string[] => {
    const anyOf = [
      { properties: first, required: ["first"] },
      { properties: second, required: ["second"] },
    ];
    const value = { flag: true, other: true, day: "2024-01-01", list: [], count: 1 };
    return listErrors({ type: "object", properties, anyOf }, value).slice(1);
  };
  assert.deepEqual(closest({ flag: {}, other: {} }, { day: { format: "date" } }), ["Required f.first"]);
  assert.deepEqual(closest({ flag: {} }, { day: { format: "date" } }), ["Required f.second"]);
  assert.deepEqual(closest({ list: {} }, { count: {} }), ["Required f.first"]);
  assert.deepEqual(closest({ day: {} }, { count: {} }), ["Required f.second"]);
});

test("checks the ranges of integers and floats from Kubernetes 1.36 on", () => {
  const schema = { ...INTEGER, format: "int32" };
  assert.deepEqual(listErrors(schema, 2 ** 31, { kubernetesMinor: 35 }), []);
  assert.deepEqual(listErrors(schema, 2 ** 31, { kubernetesMinor: 36 }), ["Invalid f"]);
});

test("names the invalid value and what the schema allows", () => {
  const said = (schema: Json, value: Json): readonly string[] =>
    validateField(schema, value).errors.map((error) => error.message);
  assert.deepEqual(said({ ...STRING, enum: ["", "v2"] }, "v1"), [
    'The value "v1" is not supported; supported: "", "v2"',
  ]);
  assert.deepEqual(said(STRING, 1), ["The value must be a string, and is an integer"]);
  assert.deepEqual(said({ ...INTEGER, maximum: 5 }, 9), ["The number 9 must be at most 5"]);
  assert.deepEqual(said({ ...STRING, pattern: "^a$" }, "b"), ['The value "b" does not match the pattern ^a$']);
});
