import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Json, JsonObject } from "../../../../src/model/json.ts";
import { validateObject, compileSchema } from "../../../../src/schema/crd/index.ts";
import { listErrors, compileForTest, validateField } from "../../../../verify/schema/cel/cases.ts";
import { deepFreeze } from "../../../../src/cases/runner.ts";

const STRING = { type: "string" } as const;

const INVALID: readonly (readonly [JsonObject, string])[] = [
  [{ $ref: "#/x" }, "properties[f].$ref is not supported"],
  [{ type: "object", patternProperties: { a: STRING } }, "properties[f].patternProperties is not supported"],
  [{ type: "object", definitions: { a: STRING } }, "properties[f].definitions is not supported"],
  [{}, "properties[f].type is required"],
  [{ type: "null" }, "properties[f].type is not a type of a structural schema"],
  [{ type: ["string"] }, "properties[f].type must be a string"],
  [{ type: "array" }, "properties[f].items is required for an array"],
  [{ type: "array", items: [STRING] }, "properties[f].items must be one schema, not a list of them"],
  [{ type: "array", items: {} }, "properties[f].items.type is required"],
  [
    { ...STRING, pattern: "(?=a)" },
    "properties[f].pattern is not a valid regular expression: error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
  ],
  [{ ...STRING, minLength: "1" }, "properties[f].minLength must be an integer"],
  [
    { ...STRING, anyOf: [{ type: "string" }] },
    "properties[f].anyOf[0].type is not allowed below allOf, anyOf, oneOf or not",
  ],
  [{ ...STRING, not: { default: 1 } }, "properties[f].not.default is not allowed below allOf, anyOf, oneOf or not"],
  [
    { type: "object", "x-kubernetes-preserve-unknown-fields": false },
    "properties[f].x-kubernetes-preserve-unknown-fields must be true or left out",
  ],
  [{ ...STRING, "x-kubernetes-embedded-resource": true }, "properties[f].type must be object in an embedded resource"],
];

for (const [schema, message] of INVALID) {
  test(`refuses ${JSON.stringify(schema)}`, () => {
    const refused = compileSchema(JSON.stringify({ type: "object", properties: { f: schema } }));
    assert.deepEqual(refused, { kind: "refused", message });
  });
}

test("refuses text that is not a schema", () => {
  assert.deepEqual(compileSchema(""), { kind: "refused", message: "the schema is missing" });
  assert.deepEqual(compileSchema("[]"), { kind: "refused", message: "the schema is not an object" });
  assert.match(JSON.stringify(compileSchema("{")), /the schema is not valid JSON/);
  assert.deepEqual(compileSchema('{"type":"string"}'), { kind: "refused", message: "type must be object at the root" });
});

function buildNestedSchema(depth: number): string {
  return `${'{"type":"array","items":'.repeat(depth)}{"type":"string"}${"}".repeat(depth)}`;
}

test("refuses schemas that exceed its limits", () => {
  const within = (schema: string): string => `{"type":"object","properties":{"f":${schema}}}`;
  assert.equal(compileSchema(within(buildNestedSchema(150))).kind, "prepared");
  assert.match(JSON.stringify(compileSchema(within(buildNestedSchema(250)))), /is nested deeper than 200 schemas/);
  assert.match(JSON.stringify(compileSchema(within(buildNestedSchema(100_000)))), /is nested deeper than 1000 values/);
  const many = Object.fromEntries(Array.from({ length: 100_001 }, (_, i) => [`p${i}`, STRING]));
  assert.match(
    JSON.stringify(compileSchema(JSON.stringify({ type: "object", properties: many }))),
    /holds more than 100000 schemas/,
  );
  assert.match(JSON.stringify(compileSchema(" ".repeat(17 * 1024 * 1024))), /is longer than 16777216 characters/);
});

test("refuses defaults that expand exponentially", () => {
  let schema: Json = { type: "string", default: "x" };
  for (let i = 0; i < 8; i++) {
    schema = {
      type: "array",
      items: { type: "object", properties: { a: schema } },
      default: [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}],
    };
  }
  const refused = compileSchema(JSON.stringify({ type: "object", properties: { f: schema } }));
  assert.match(JSON.stringify(refused), /default holds more than 10000 values/);
});

test("matches patterns in linear time, even those that backtrack in other engines", () => {
  const text = `${"a".repeat(100_000)}!`;
  assert.deepEqual(listErrors({ ...STRING, pattern: "^(a+)+$" }, text), ["Invalid f"]);
  for (const format of [
    "byte",
    "cidr",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "mac",
    "uri",
    "isbn",
    "creditcard",
  ]) {
    for (const part of ["1", "a", "0", ":", "=", "1h", "a@", "(", "%", '"', "."])
      listErrors({ ...STRING, format }, part.repeat(300_000) + "!");
  }
});

test("validates objects of any depth and width", () => {
  const deep: Json = JSON.parse(`${"[".repeat(9_000)}${"]".repeat(9_000)}`);
  const anything = { "x-kubernetes-preserve-unknown-fields": true };
  assert.deepEqual(validateField(anything, deep).errors, []);
  assert.deepEqual(listErrors({ type: "array", items: anything, "x-kubernetes-list-type": "set" }, [deep, deep]), [
    "Duplicate f[1]",
  ]);
  assert.deepEqual(validateField({ type: "object", additionalProperties: true }, { a: deep }).errors, []);
  assert.deepEqual(validateField(STRING, deep).prunedPaths, []);
  const wide = Array.from({ length: 10_000 }, (_, i) => ({ name: i, odd: 1 }));
  const verdict = validateField({ type: "array", items: { type: "object", properties: { name: STRING } } }, wide);
  assert.deepEqual([verdict.errors.length, verdict.prunedPaths.length, verdict.isTruncated], [100, 1_000, true]);
});

test("gives the same verdict for the same object", () => {
  const schema = compileForTest({ type: "object", properties: { a: STRING, b: STRING } });
  const one = deepFreeze({ a: 1, b: 2, d: 1, c: 1 });
  const other = deepFreeze({ c: 1, d: 1, b: 2, a: 1 });
  assert.deepEqual(validateObject(schema, one), validateObject(schema, other));
});
