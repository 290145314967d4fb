import type { JsonObject } from "../../src/model/json.ts";

type SchemaCase = readonly [what: string, before: JsonObject, after: JsonObject, expected: readonly string[]];

export const text = { type: "string" };
const whole = { type: "integer" };
const keeps = { "x-kubernetes-preserve-unknown-fields": true };
const intOrString = { "x-kubernetes-int-or-string": true };
const numberOrText = { anyOf: [{ type: "integer" }, { type: "string" }] };
export const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
export const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "array", items, ...more });
const byName = (...keys: readonly string[]): JsonObject => ({
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": keys,
});
export const rules = (...texts: readonly string[]): JsonObject => ({
  "x-kubernetes-validations": texts.map((rule) => ({ rule })),
});

/** Schemas of a field `a` that every object may have; the expectation is "kind path keyword". */
export const OF_A_FIELD: readonly SchemaCase[] = [
  ["an equal schema", text, { ...text }, []],
  ["a description", text, { ...text, description: "Text." }, []],
  ["another type", text, whole, ["tightening a type"]],
  ["an integer that may be any number", whole, { type: "number" }, []],
  ["a number that must be an integer", { type: "number" }, whole, ["tightening a type"]],
  ["text that may be an integer", text, { ...intOrString, ...numberOrText }, []],
  ["int-or-string that must be text", { ...intOrString, ...numberOrText }, text, ["tightening a type"]],
  ["an enum", text, { ...text, enum: ["x"] }, ["tightening a enum"]],
  ["an enum value removed", { ...text, enum: ["x", "y"] }, { ...text, enum: ["x"] }, ["tightening a enum"]],
  ["an enum value added", { ...text, enum: ["x"] }, { ...text, enum: ["y", "x"] }, []],
  [
    "an enum moved into allOf",
    { ...text, enum: ["x"] },
    { ...text, allOf: [{ enum: ["x"] }, { enum: ["x", "y"] }] },
    [],
  ],
  [
    "enums of allOf without a common value",
    { ...text, enum: ["x"] },
    { ...text, allOf: [{ enum: ["x"] }, { enum: ["y"] }] },
    ["tightening a enum"],
  ],
  ["a maximum lowered", { ...whole, maximum: 9 }, { ...whole, maximum: 8 }, ["tightening a maximum"]],
  ["a maximum raised", { ...whole, maximum: 8 }, { ...whole, maximum: 9 }, []],
  [
    "a maximum that is now exclusive",
    { ...whole, maximum: 9 },
    { ...whole, maximum: 9, exclusiveMaximum: true },
    ["tightening a maximum"],
  ],
  ["a lower exclusive minimum", { ...whole, minimum: 2 }, { ...whole, minimum: 1, exclusiveMinimum: true }, []],
  ["a minimum of zero", whole, { ...whole, minimum: 0 }, ["tightening a minimum"]],
  ["a minimum length of zero", text, { ...text, minLength: 0 }, []],
  ["a minimum length", text, { ...text, minLength: 1 }, ["tightening a minLength"]],
  ["a maximum length of zero", text, { ...text, maxLength: 0 }, ["tightening a maxLength"]],
  ["a divisor of the previous multipleOf", { ...whole, multipleOf: 6 }, { ...whole, multipleOf: 3 }, []],
  [
    "a multiple of the previous multipleOf",
    { ...whole, multipleOf: 3 },
    { ...whole, multipleOf: 6 },
    ["tightening a multipleOf"],
  ],
  ["a pattern changed", { ...text, pattern: "^x" }, { ...text, pattern: "^y" }, ["tightening a pattern"]],
  ["a pattern removed", { ...text, pattern: "^x" }, text, []],
  ["a format", text, { ...text, format: "date-time" }, ["tightening a format"]],
  ["a format that API servers ignore", text, { ...text, format: "ip" }, []],
  ["a wider format", { ...whole, format: "int32" }, { ...whole, format: "int64" }, []],
  ["a narrower format", { ...whole, format: "int64" }, { ...whole, format: "int32" }, ["tightening a format"]],
  ["a set", list(text), list(text, { "x-kubernetes-list-type": "set" }), ["tightening a x-kubernetes-list-type"]],
  [
    "an atomic list",
    list(text, { "x-kubernetes-list-type": "set" }),
    list(text, { "x-kubernetes-list-type": "atomic" }),
    [],
  ],
  [
    "the keys of a map list in another order",
    list(object({}), byName("n", "m")),
    list(object({}), byName("m", "n")),
    [],
  ],
  [
    "other keys of a map list",
    list(object({}), byName("n")),
    list(object({}), byName("m")),
    ["tightening a x-kubernetes-list-type"],
  ],
  ["a minimum number of items", list(text), list(text, { minItems: 1 }), ["tightening a minItems"]],
  [
    "two changes at one path",
    text,
    { ...text, pattern: "^x", maxLength: 3 },
    ["tightening a maxLength", "tightening a pattern"],
  ],
  [
    "an embedded resource",
    object({}, keeps),
    object({}, { ...keeps, "x-kubernetes-embedded-resource": true }),
    ["tightening a x-kubernetes-embedded-resource"],
  ],
  ["a field no longer nullable, whose null the API server drops", { ...text, nullable: true }, text, []],
  ["items no longer nullable", list({ ...text, nullable: true }), list(text), ["tightening a[*] nullable"]],
  ["items no longer nullable, with a default", list({ ...text, nullable: true }), list({ ...text, default: "x" }), []],
  [
    "a required field no longer nullable",
    object({ b: { ...text, nullable: true } }, { required: ["b"] }),
    object({ b: text }, { required: ["b"] }),
    ["tightening a.b nullable"],
  ],
  ["a field required", object({ b: text }), object({ b: text }, { required: ["b"] }), ["tightening a.b required"]],
  [
    "a field required in allOf",
    object({ b: text }),
    object({ b: text }, { allOf: [{ required: ["b"] }] }),
    ["tightening a.b required"],
  ],
  [
    "a field required that has a default",
    object({ b: text }),
    object({ b: { ...text, default: "x" } }, { required: ["b"] }),
    [],
  ],
  ["a new field", object({}), object({ b: { ...text, enum: ["x"], ...rules("self == 'x'") } }), []],
  ["a new field that is required", object({}), object({ b: text }, { required: ["b"] }), ["tightening a.b required"]],
  [
    "a new field in an object that kept unknown fields",
    object({}, keeps),
    object({ b: whole }, keeps),
    ["tightening a.b type"],
  ],
  ["a field removed", object({ b: object({ c: text }) }), object({}), ["drop a.b properties"]],
  ["a field removed from an object that keeps unknown fields", object({ b: text }), object({}, keeps), []],
  ["unknown fields no longer kept", object({ b: text }, keeps), object({ b: text }), ["drop a[*] properties"]],
  [
    "a map with stricter values",
    { type: "object", additionalProperties: text },
    { type: "object", additionalProperties: { ...text, maxLength: 1 } },
    ["tightening a[*] maxLength"],
  ],
  [
    "a map that becomes fields",
    { type: "object", additionalProperties: text },
    object({ b: whole }),
    ["tightening a.b type", "drop a[*] properties"],
  ],
  [
    "fields that become a map",
    object({ b: text }),
    { type: "object", additionalProperties: whole },
    ["tightening a.b type"],
  ],
  ["alternatives", text, { ...text, anyOf: [{ maxLength: 3 }] }, ["tightening a anyOf"]],
  [
    "more alternatives",
    { ...text, anyOf: [{ maxLength: 3 }] },
    { ...text, anyOf: [{ pattern: "x" }, { maxLength: 4 }] },
    [],
  ],
  [
    "fewer alternatives",
    { ...text, anyOf: [{ maxLength: 3 }, { pattern: "x" }] },
    { ...text, anyOf: [{ maxLength: 3 }] },
    ["tightening a anyOf"],
  ],
  [
    "alternatives about fields",
    object({ b: text }, { anyOf: [{ properties: { b: { enum: ["x"] } } }] }),
    object({ b: text }, { anyOf: [{ properties: { b: { enum: ["x", "y"] } } }] }),
    [],
  ],
  [
    "alternatives about another field",
    object({ b: text, c: text }, { anyOf: [{ properties: { b: { maxLength: 1 } } }] }),
    object({ b: text, c: text }, { anyOf: [{ properties: { c: { maxLength: 1 } } }] }),
    ["tightening a anyOf"],
  ],
  [
    "more exclusive alternatives",
    { ...text, oneOf: [{ maxLength: 3 }] },
    { ...text, oneOf: [{ maxLength: 3 }, { pattern: "x" }] },
    ["tightening a oneOf"],
  ],
  [
    "exclusive alternatives in another order",
    { ...text, oneOf: [{ maxLength: 3 }, { pattern: "x" }] },
    { ...text, oneOf: [{ pattern: "x" }, { maxLength: 3 }] },
    [],
  ],
  ["a negation", text, { ...text, not: { enum: ["x"] } }, ["tightening a not"]],
  ["a negation removed", { ...text, not: { enum: ["x"] } }, text, []],
  [
    "stricter fields in allOf",
    object({ b: text }),
    object({ b: text }, { allOf: [{ properties: { b: { maxLength: 1 } } }] }),
    ["tightening a allOf"],
  ],
  ["a rule", text, { ...text, ...rules("self != ''") }, ["rule a x-kubernetes-validations"]],
  [
    "a rule changed",
    { ...text, ...rules("self != ''") },
    { ...text, ...rules("self != 'x'") },
    ["rule a x-kubernetes-validations"],
  ],
  ["a rule removed", { ...text, ...rules("self != ''", "self != 'x'") }, { ...text, ...rules("self != 'x'") }, []],
  [
    "a rule with another message",
    { ...text, ...rules("true") },
    { ...text, "x-kubernetes-validations": [{ rule: "true", message: "m" }] },
    [],
  ],
  ["a transition rule", text, { ...text, ...rules("self == oldSelf") }, ["transitionRule a x-kubernetes-validations"]],
  [
    "a rule that only quotes oldSelf",
    text,
    { ...text, ...rules("self != 'oldSelf'") },
    ["rule a x-kubernetes-validations"],
  ],
  [
    "a rule whose oldSelf is optional",
    text,
    { ...text, "x-kubernetes-validations": [{ rule: "oldSelf.hasValue()", optionalOldSelf: true }] },
    ["rule a x-kubernetes-validations"],
  ],
];
