import type { Json, JsonObject } from "../../../../src/model/json.ts";
import { FORMAT_TEXTS } from "../../../../verify/schema/random/text-generator.ts";

const STRING: JsonObject = { type: "string" };
const INTEGER: JsonObject = { type: "integer" };

function buildObject(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", properties, ...more };
}

function buildList(items: Json, more: JsonObject = {}): JsonObject {
  return { type: "array", items, ...more };
}

/** A string of each format, and the same format in an alternative, which has no type. */
function buildFormats(): JsonObject {
  const names = Object.keys(FORMAT_TEXTS);
  return Object.fromEntries(names.map((format) => [format, { type: "string", format }]));
}

const NUMBERS: JsonObject = {
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  float: { type: "number", format: "float" },
  double: { type: "number", format: "double", minimum: -1.5, maximum: 1.5 },
  open: { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
  fractions: { type: "number", minimum: 0.5, maximum: 2.5 },
  multiple: { type: "integer", multipleOf: 5 },
  multipleOfFraction: { type: "number", multipleOf: 0.1 },
  multipleOfMore: { type: "number", multipleOf: 2.5 },
  badLimit: { type: "integer", maximum: 1.5 },
  badInt32Limit: { type: "integer", format: "int32", minimum: -3_000_000_000 },
  enum: { type: "integer", enum: [1, 2, 3] },
  numberEnum: { type: "number", enum: [1, 1.5] },
};

const TEXTS: JsonObject = {
  short: { type: "string", minLength: 2, maxLength: 3 },
  print: { type: "string", pattern: "^[[:print:]]+$" },
  unanchored: { type: "string", pattern: "b+c" },
  unicode: { type: "string", pattern: "^\\p{Lu}\\pL*$" },
  caseless: { type: "string", pattern: "(?i)^true$" },
  enum: { type: "string", enum: ["a", "A", ""] },
  nullableEnum: { type: "string", nullable: true, enum: ["a", null] },
  all: { type: "string", allOf: [{ minLength: 2 }, { pattern: "^a" }] },
  any: { type: "string", anyOf: [{ format: "ipv4" }, { format: "ipv6" }, { enum: ["none"] }] },
  one: { type: "string", oneOf: [{ maxLength: 3 }, { pattern: "^a" }] },
  notThat: { type: "string", not: { enum: ["a", "abc"] } },
};

const MIXED: JsonObject = {
  intOrString: {
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "integer" }, { type: "string" }],
    pattern: "^[0-9]+%?$",
  },
  bareIntOrString: { "x-kubernetes-int-or-string": true, maximum: 100, enum: [1, "A", "7"] },
  intOrStringAll: {
    "x-kubernetes-int-or-string": true,
    allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { maxLength: 3 }],
  },
  anything: { "x-kubernetes-preserve-unknown-fields": true },
  nullable: { type: "object", nullable: true, properties: { a: STRING }, minProperties: 1 },
  nullableList: buildList({ type: "string", nullable: true }, { nullable: true }),
  objectEnum: buildObject({ a: INTEGER }, { enum: [{ a: 1 }, {}] }),
};

const LISTS: JsonObject = {
  sized: buildList(STRING, { minItems: 1, maxItems: 2 }),
  unique: buildList({ "x-kubernetes-preserve-unknown-fields": true }, { uniqueItems: true }),
  set: buildList(STRING, { "x-kubernetes-list-type": "set" }),
  setOfObjects: buildList(buildObject({ a: INTEGER }, { "x-kubernetes-map-type": "atomic" }), {
    "x-kubernetes-list-type": "set",
  }),
  byName: buildList(buildObject({ name: STRING, v: INTEGER }), {
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  }),
  byTwo: buildList(buildObject({ a: STRING, b: { type: "integer", default: 1 } }), {
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["a", "b"],
  }),
  lists: buildList(buildList(INTEGER, { "x-kubernetes-list-type": "set" })),
  defaulted: buildList({ type: "string", default: "x" }),
};

const MAPS: JsonObject = {
  strings: { type: "object", additionalProperties: STRING, minProperties: 1, maxProperties: 2 },
  sets: { type: "object", additionalProperties: buildList(STRING, { "x-kubernetes-list-type": "set" }) },
  defaulted: { type: "object", additionalProperties: { type: "string", default: "x" } },
  anything: { type: "object", additionalProperties: true },
  objects: { type: "object", additionalProperties: buildObject({ a: STRING }, { required: ["a"] }) },
  preserving: buildObject({ known: buildObject({ a: STRING }) }, { "x-kubernetes-preserve-unknown-fields": true }),
  preservingLists: buildList(
    { type: "object", properties: { a: buildObject({ b: STRING }) } },
    { "x-kubernetes-preserve-unknown-fields": true },
  ),
  preservingMap: {
    type: "object",
    additionalProperties: buildObject({ a: STRING }),
    "x-kubernetes-preserve-unknown-fields": true,
  },
};

const EMBEDDED: JsonObject = {
  resource: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
  narrow: buildObject(
    {
      apiVersion: STRING,
      kind: STRING,
      metadata: buildObject({ name: { type: "string", minLength: 2 } }, { required: ["name"] }),
      spec: buildObject({ a: STRING }),
    },
    { "x-kubernetes-embedded-resource": true },
  ),
  many: buildList({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  }),
  byName: {
    type: "object",
    additionalProperties: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
  },
};

const DEFAULTS: JsonObject = {
  text: { type: "string", default: "x" },
  deep: buildObject(
    { a: buildObject({ b: { type: "string", default: "y" } }, { default: {} }), c: { type: "integer", default: 7 } },
    { default: {} },
  ),
  bad: { type: "integer", default: 5, maximum: 4 },
  nullable: { type: "string", nullable: true, default: "z" },
  noDefault: buildObject({ b: { type: "string", default: "y" } }),
  filledList: buildList(buildObject({ a: { type: "string", default: "q" } }), { default: [{}, { a: "r" }] }),
};

const JUNCTORS: JsonObject = {
  one: buildObject(
    { type: { type: "string", enum: ["a", "b"] }, a: buildObject({ x: INTEGER }), b: buildObject({ y: INTEGER }) },
    {
      required: ["type"],
      oneOf: [
        { properties: { type: { enum: ["a"] }, a: { required: ["x"] } }, required: ["a"] },
        { properties: { type: { enum: ["b"] } }, required: ["b"] },
      ],
    },
  ),
  any: buildObject(
    { a: STRING, b: STRING, c: buildList(INTEGER) },
    {
      anyOf: [
        { required: ["a"] },
        { required: ["b"], properties: { b: { minLength: 2 } } },
        { properties: { c: { minItems: 2, items: { minimum: 1 } } }, required: ["c"] },
      ],
    },
  ),
  closest: buildObject(
    { flag: { type: "boolean" }, other: { type: "boolean" }, day: STRING, list: buildList(INTEGER), count: INTEGER },
    {
      anyOf: [
        { properties: { flag: {}, other: {} }, required: ["x"] },
        { properties: { day: { format: "date" } }, required: ["y"] },
        { properties: { list: {} }, required: ["z"] },
        { properties: { count: {} }, required: ["v"] },
      ],
      properties: {
        flag: { type: "boolean" },
        other: { type: "boolean" },
        day: { type: "string", default: "2024-01-01" },
        list: buildList(INTEGER),
        count: INTEGER,
        ...Object.fromEntries(["x", "y", "z", "v"].map((name) => [name, STRING])),
      },
    },
  ),
  all: buildObject(
    { a: STRING, b: STRING },
    { allOf: [{ not: { required: ["a", "b"] } }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }] },
  ),
};

const ODD_NAMES: JsonObject = Object.fromEntries([
  ["__proto__", buildObject({ a: INTEGER })],
  ["constructor", STRING],
  ["toString", { type: "integer", default: 1 }],
  ["a.b/c", STRING],
]);

/** Our own CRD with every keyword, many of which no OpenShift CRD uses. */
export function buildOwnCrd(): JsonObject {
  const parts = {
    formats: buildFormats(),
    numbers: NUMBERS,
    texts: TEXTS,
    mixed: MIXED,
    lists: LISTS,
    maps: MAPS,
    embedded: EMBEDDED,
    defaults: DEFAULTS,
    junctors: JUNCTORS,
    odd: ODD_NAMES,
  };
  const versions = Object.entries(parts).map(([name, properties], i): Json => ({
    name: `v${i + 1}`,
    served: true,
    storage: i === 0,
    schema: {
      openAPIV3Schema: buildObject({
        apiVersion: STRING,
        kind: STRING,
        metadata: { type: "object" },
        [name]: buildObject(properties),
      }),
    },
  }));
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: { group: "example.com", scope: "Cluster", names: { kind: "Thing", plural: "things" }, versions },
  };
}
