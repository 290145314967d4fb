import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../../src/model/json.ts";
import { findSchemaChanges } from "../../../../src/schema/crd/index.ts";

/** The changes of the field "a", as "kind path: message". */
function compare(before: JsonObject, after: JsonObject | undefined): readonly string[] {
  const wrap = (schema: JsonObject | undefined): JsonObject => ({
    type: "object",
    ...(schema ? { properties: { a: schema } } : {}),
  });
  return findSchemaChanges(wrap(before), wrap(after)).map(({ kind, path, message }) => `${kind} ${path}: ${message}`);
}

const text = { type: "string" };
const KEEPING = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

for (const [before, after, expected] of [
  [text, undefined, "lost a: The field is gone, so objects lose it."],
  [text, { type: "integer" }, "stricter a: It must be integer, and was string."],
  [{ ...text, nullable: true }, text, "stricter a: It can no longer be null."],
  [{ ...text, maxLength: 9 }, { ...text, maxLength: 8 }, "stricter a: Its maxLength is 8, and was 9."],
  [text, { ...text, minLength: 1 }, "stricter a: Its minLength is 1, and was not set."],
  [
    { ...text, pattern: "a" },
    { ...text, pattern: "b" },
    'stricter a: Its pattern is b, and was a. It no longer allows "a".',
  ],
  [
    { ...text, pattern: "(a|b)*a(a|b){14}" },
    { ...text, pattern: "(a|b)*a(a|b){13}" },
    "mayBeStricter a: Its pattern is (a|b)*a(a|b){13}, and was (a|b)*a(a|b){14}. That may allow less.",
  ],
  [
    { ...text, format: "date" },
    { ...text, format: "date", pattern: "^2" },
    "mayBeStricter a: Its pattern is ^2, and was not set. That may allow less.",
  ],
  [
    { ...text, "x-kubernetes-validations": [{ rule: "self.size() < 3" }] },
    { ...text, "x-kubernetes-validations": [{ rule: "self.size() < 4" }] },
    "mayBeStricter a: It has the rule self.size() < 4 instead of another one, which may allow less.",
  ],
  [
    { type: "number", minimum: 2 },
    { type: "number", minimum: 2, exclusiveMinimum: true },
    "stricter a: Its exclusiveMinimum is true, and was not set.",
  ],
  [
    { type: "integer", maximum: 9 },
    { type: "integer", maximum: 9223372036854775807n },
    "stricter a: Its maximum is 9223372036854775807, which is beyond 64 bits, so that no integer is valid.",
  ],
  [
    { type: "integer", minimum: 0 },
    { type: "integer", minimum: -9223372036854775808n },
    "mayBeStricter a: Its minimum is -9223372036854775808, which does not fit its type and format, so that Kubernetes 1.36 and later accept no number.",
  ],
  [
    { type: "integer", format: "int32", maximum: 9 },
    { type: "integer", format: "int32", maximum: 2147483648 },
    "mayBeStricter a: Its maximum is 2147483648, which does not fit its type and format, so that Kubernetes 1.36 and later accept no number.",
  ],
  [
    { type: "number", maximum: 9 },
    { type: "number", maximum: 1e308 },
    "stricter a: Its maximum is 1e+308, which is beyond 64 bits, so that no integer is valid.",
  ],
  [text, { ...text, enum: ["A"] }, "stricter a: It allows only A, and allowed any value."],
  [{ ...text, enum: ["A", "B"] }, { ...text, enum: ["A"] }, "stricter a: It no longer allows B."],
  [{ type: "object" }, { type: "object", required: ["b"] }, "stricter a: It requires b, and did not."],
  [
    text,
    { ...text, "x-kubernetes-validations": [{ rule: "self != ''", message: "no" }] },
    "rule a: It has the new rule self != '' (no).",
  ],
  [
    text,
    { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    "transitionRule a: It has the new rule self == oldSelf.",
  ],
  [
    text,
    { ...text, "x-kubernetes-validations": [{ rule: "oldSelf.hasValue()", optionalOldSelf: true }] },
    "rule a: It has the new rule oldSelf.hasValue().",
  ],
  [text, { ...text, anyOf: [{ enum: ["A"] }] }, "mayBeStricter a: Its anyOf is new, and may allow less."],
  [
    { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    { type: "object" },
    "lost a: Fields that the schema does not name are dropped.",
  ],
  [
    KEEPING,
    { ...KEEPING, properties: { b: { type: "boolean" } } },
    "stricter a.b: It must be boolean, and was any value.",
  ],
  [KEEPING, { ...KEEPING, properties: { b: KEEPING } }, "stricter a.b: It must be object, and was any value."],
  [
    { type: "object", additionalProperties: text },
    { type: "object", properties: {} },
    "lost a: The keys of the map are dropped.",
  ],
  [
    { type: "array", items: text },
    { type: "array", items: { ...text, maxLength: 1 } },
    "stricter a[*]: Its maxLength is 1, and was not set.",
  ],
  [
    { type: "array", items: text },
    { type: "array", items: text, "x-kubernetes-list-type": "set" },
    "stricter a: Its x-kubernetes-list-type is set, and was not set.",
  ],
] as const)
  test(expected, () => assert.deepEqual(compare(before, after), [expected]));

test("what allows more is no change", () => {
  for (const [before, after] of [
    [text, text],
    [{ type: "integer" }, { "x-kubernetes-int-or-string": true }],
    [{ type: "integer" }, { type: "number" }],
    [
      { ...text, maxLength: 8 },
      { ...text, maxLength: 9 },
    ],
    [{ ...text, minLength: 2, pattern: "a" }, text],
    [
      { ...text, enum: ["A"] },
      { ...text, enum: ["A", "B"] },
    ],
    [{ ...text, enum: ["A"] }, text],
    [
      { ...text, allOf: [{ enum: ["A", "B"] }, { enum: ["A"] }] },
      { ...text, enum: ["A"] },
    ],
    [{ type: "object", required: ["b"] }, { type: "object" }],
    [{ type: "object" }, { type: "object", required: ["b"], properties: { b: { ...text, default: "x" } } }],
    [
      { type: "object", properties: { b: text } },
      { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    ],
    [KEEPING, { ...KEEPING, properties: { b: { "x-kubernetes-preserve-unknown-fields": true } } }],
    [{ ...text, "x-kubernetes-validations": [{ rule: "true", message: "a" }] }, text],
    [
      { ...text, "x-kubernetes-validations": [{ rule: "self != 'a'" }, { rule: "true", message: "a" }] },
      { ...text, "x-kubernetes-validations": [{ rule: "true", message: "b" }, { rule: "self  !=  'a' // no a" }] },
    ],
    [
      { ...text, pattern: "^https://" },
      { ...text, pattern: "^(https://|mailto:)" },
    ],
    [
      { ...text, pattern: "^.{1,5}$" },
      { ...text, maxLength: 5, minLength: 1 },
    ],
    [
      { ...text, enum: ["A", "B"] },
      { ...text, enum: ["A", "B"], pattern: "^[AB]$", maxLength: 1 },
    ],
    [
      { type: "integer", maximum: 9007199254740993n },
      { type: "integer", maximum: 9007199254740992 },
    ],
    [
      { type: "integer", maximum: 9223372036854775807n },
      { type: "integer", maximum: 1e19 },
    ],
    [
      { type: "number", minimum: 9 },
      { type: "number", minimum: -1e308 },
    ],
    [
      { type: "integer", minimum: 5 },
      { type: "integer", minimum: 4, exclusiveMinimum: true },
    ],
    [
      { type: "integer", multipleOf: 10 },
      { type: "integer", multipleOf: 5 },
    ],
    [
      { ...text, format: "uuid4" },
      { ...text, format: "uuid" },
    ],
    [text, { ...text, format: "unheard-of" }],
    [
      { ...text, anyOf: [{ pattern: "^a$" }] },
      { ...text, anyOf: [{ enum: ["b"] }, { pattern: "^[ac]$" }] },
    ],
    [
      { ...text, allOf: [{ maxLength: 5 }, { pattern: "^a" }] },
      { ...text, allOf: [{ maxLength: 6 }] },
    ],
  ] as const)
    assert.deepEqual(compare(before, after), [], JSON.stringify(after));
});

test("names where a field is in the schema", () => {
  const schema = (items: JsonObject): JsonObject => ({
    type: "object",
    properties: { list: { type: "array", items: { type: "object", properties: { b: items } } } },
  });
  const [change] = findSchemaChanges(schema(text), schema({ ...text, maxLength: 1 }));
  assert.equal(change?.path, "list[*].b");
  assert.deepEqual(change?.keys, ["properties", "list", "items", "properties", "b"]);
});
