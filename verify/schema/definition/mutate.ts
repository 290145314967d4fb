import { type Json, isList, isObject } from "../../../src/model/json.ts";
import { choice } from "./choice.ts";
import { pattern } from "./mutate-pattern.ts";
import { cost, newRule, ruleField, ruleSyntax, ruleTypes } from "./mutate-rules.ts";
import { SPEC_MUTATIONS } from "./mutate-spec.ts";
import { type Mutable, type Mutation, mutable, schemasIn, set } from "./schemas.ts";

const TYPES = ["string", "integer", "number", "boolean", "array", "object", "", "null", "text", undefined];
const VALUES: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 40,
  "",
  "a",
  "A.b",
  "1h",
  "2020-01-01T00:00:00Z",
  "10.0.0.0/8",
  [],
  ["a"],
  ["a", "a"],
  [1],
  [{}],
  [{ name: "a" }, { name: "a" }],
  {},
  { a: "b" },
  { name: "a", type: "b" },
  { apiVersion: "v1", kind: "Pod" },
  { apiVersion: "v1", kind: "Pod", metadata: { name: "a", labels: { a: "b" }, x: 1 } },
  { apiVersion: "a/b/c", kind: "?", metadata: { labels: { "?": "b" } } },
  { metadata: { labels: { a: 1 } } },
];

const type: Mutation = ({ schema }, random) => set(schema, "type", choice(random, TYPES));

const defaulted: Mutation = ({ schema }, random) => {
  const known = isList(schema["enum"]) ? schema["enum"] : [];
  set(schema, "default", choice(random, [...VALUES, ...known, ...known, ...fitting(schema)]));
  if (random.chance(0.1)) set(schema, "nullable", true);
};

/** Values that are likely to be valid. */
function fitting(schema: Mutable): readonly Json[] {
  const { type: kind, properties } = schema;
  if (kind === "array") return [[], [], []];
  if (kind !== "object") return kind === "string" ? ["a", "abc"] : [1, true];
  const names = Object.keys(isObject(properties) ? properties : {});
  return [{}, {}, Object.fromEntries(names.slice(0, 1).map((name) => [name, "a"])), { [names.at(-1) ?? "a"]: {} }];
}

const listType: Mutation = ({ schema, definition }, random) => {
  const lists = schemasIn(definition).filter((one) => one.schema["type"] === "array");
  const list = random.chance(0.85) && lists.length > 0 ? choice(random, lists).schema : schema;
  const items = isObject(list["items"]) ? mutable(list["items"]) : {};
  const names = Object.keys(isObject(items["properties"]) ? items["properties"] : {});
  const name = random.oneOf(names) ?? "name";
  const maps = schemasIn(definition).filter((one) => one.schema["x-kubernetes-list-type"] === "map");
  const map = random.oneOf(maps)?.schema ?? list;
  const act = choice<() => void>(random, [
    () => set(list, "x-kubernetes-list-type", choice(random, ["set", "map", "atomic", "bag", undefined])),
    () => set(map, "x-kubernetes-list-map-keys", choice(random, [[name], [name, name], ["none"], [], undefined])),
    () => {
      set(list, "x-kubernetes-list-type", "map");
      set(list, "x-kubernetes-list-map-keys", [name]);
      if (random.chance(0.5)) set(items, "required", [name]);
    },
    () =>
      set(isObject(map["items"]) ? mutable(map["items"]) : map, choice(random, ["nullable", "required"]), undefined),
    () => set(items, "nullable", true),
    () => set(items, "x-kubernetes-map-type", choice(random, ["atomic", "granular", "bag", undefined])),
    () => set(schema, "x-kubernetes-map-type", choice(random, ["atomic", "granular", "bag"])),
  ]);
  act();
};

const NESTED: readonly Json[] = [
  { type: "string" },
  { required: ["spec"] },
  { minLength: 1 },
  { properties: { spec: { minLength: 1 } } },
  { properties: { none: {} } },
  { properties: { metadata: {} } },
  { items: { minLength: 1 } },
  { additionalProperties: { minLength: 1 } },
  { additionalProperties: false },
  { additionalProperties: true },
  { default: "a" },
  { description: "a" },
  { title: "a" },
  { nullable: true },
  { enum: ["a"] },
  { pattern: "(" },
  { not: { type: "object" } },
  { "x-kubernetes-validations": [{ rule: "true" }] },
  { "x-kubernetes-preserve-unknown-fields": true },
  { "x-kubernetes-preserve-unknown-fields": false },
  { "x-kubernetes-list-type": "set" },
  { allOf: [{ properties: { spec: { properties: { none: {} } } } }] },
  {},
  null,
];
const INT_OR_STRING = [{ type: "integer" }, { type: "string" }];

const junctor: Mutation = ({ schema }, random) => {
  const nested = choice(random, NESTED);
  const act = choice<() => void>(random, [
    () => set(schema, choice(random, ["allOf", "anyOf", "oneOf"]), [nested, choice(random, NESTED)]),
    () => set(schema, "not", nested),
    () => set(schema, "anyOf", INT_OR_STRING),
    () => set(schema, "anyOf", [...INT_OR_STRING].reverse()),
    () => set(schema, "allOf", [{ anyOf: INT_OR_STRING }, nested]),
    () => {
      set(schema, "type", undefined);
      set(schema, "x-kubernetes-int-or-string", true);
      set(schema, "anyOf", INT_OR_STRING);
    },
  ]);
  act();
};

const KEYWORDS: readonly (readonly [string, Json | undefined])[] = [
  ["x-kubernetes-preserve-unknown-fields", true],
  ["x-kubernetes-preserve-unknown-fields", false],
  ["x-kubernetes-embedded-resource", true],
  ["x-kubernetes-int-or-string", true],
  ["nullable", true],
  ["uniqueItems", true],
  ["$ref", "#/a"],
  ["$ref", ""],
  ["$schema", "a"],
  ["id", "a"],
  ["definitions", { a: {} }],
  ["definitions", {}],
  ["dependencies", { a: ["b"] }],
  ["dependencies", {}],
  ["patternProperties", { a: {} }],
  ["additionalItems", false],
  ["additionalItems", { type: "string" }],
  ["additionalProperties", true],
  ["additionalProperties", false],
  ["additionalProperties", { type: "string" }],
  ["additionalProperties", { type: "text" }],
  ["additionalProperties", {}],
  ["items", [{ type: "string" }]],
  ["items", { type: "string" }],
  ["items", {}],
  ["items", undefined],
  ["properties", undefined],
  ["properties", {}],
  ["properties", { a: {} }],
  ["properties", { metadata: { type: "object" }, kind: { type: "string" } }],
  [
    "properties",
    { metadata: { type: "object", properties: { name: { type: "string", pattern: "a" } } }, kind: { type: "integer" } },
  ],
  ["enum", []],
  ["enum", ["a", 1, null]],
  ["format", "nope"],
  ["format", "date-time"],
  ["format", "byte"],
  ["format", "duration"],
  ["format", "int32"],
  ["title", "a"],
  ["maxLength", -1],
  ["maxLength", 3],
  ["minimum", 5],
  ["multipleOf", 0],
  ["required", ["none", "none"]],
  ["externalDocs", { url: "a" }],
  ["example", { a: 1 }],
];

const keyword: Mutation = ({ schema }, random) => {
  const [name, value] = choice(random, KEYWORDS);
  set(schema, name, value);
  if (name.startsWith("x-kubernetes-embedded") && random.chance(0.6)) {
    set(
      schema,
      choice(random, ["x-kubernetes-preserve-unknown-fields", "type"]),
      choice<Json>(random, [true, "object"]),
    );
  }
};

const WRONG: readonly Json[] = [1, 1.5, "1", true, [], {}, [1], ["a"], [[]], { a: 1 }, [null], { a: null }];
const SHAPED =
  "type format title pattern description maxLength minItems maximum exclusiveMaximum nullable required enum items properties additionalProperties allOf not default x-kubernetes-list-type x-kubernetes-list-map-keys x-kubernetes-validations x-kubernetes-int-or-string dependencies externalDocs example unknown".split(
    " ",
  );

/** The oracle reads YAML, which converts any scalar to a string if one is expected; a JSON request doesn't. */
const wrongShape: Mutation = ({ schema }, random) => {
  const name = choice(random, SHAPED);
  const value = choice(random, WRONG);
  const isRead = isList(value) ? value.some((item) => typeof item === "number") : !isObject(value);
  set(schema, name, isRead ? { a: [] } : value);
};

const FORMATS = ["int32", "int64", "float", "double", "date", "byte", "duration", "ipv4", "nope", "date-time"];

/** A format with a default, and often with a type that doesn't go with it. */
const formatted: Mutation = ({ schema }, random) => {
  set(schema, "format", choice(random, FORMATS));
  set(schema, "default", choice(random, [...VALUES, 3, 2 ** 31, 1.5, "3"]));
  if (random.chance(0.5)) return;
  const kind = choice(random, ["type", "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"]);
  if (kind === "type") set(schema, "type", choice(random, TYPES));
  else
    for (const [name, value] of [
      ["type", undefined],
      [kind, true],
    ] as const)
      set(schema, name, value);
};

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  type,
  default: defaulted,
  format: formatted,
  listType,
  pattern,
  ruleSyntax,
  ruleTypes,
  newRule,
  cost,
  ruleField,
  junctor,
  keyword,
  wrongShape,
  spec: (_, random, definition) => choice(random, SPEC_MUTATIONS)(definition, random),
};
