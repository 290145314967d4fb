import { type Json, type JsonObject, isList, isObject, listAt, objectAt, textsAt } from "../../src/model/json.ts";
import type { Random } from "../schema/random/random.ts";

/** A change of one place of a schema; undefined where it doesn't fit. */
type Change = (schema: JsonObject, random: Random) => JsonObject | undefined;

const RULES = "x-kubernetes-validations";
const OPEN = "x-kubernetes-preserve-unknown-fields";

/** What later releases do to schemas, by name. */
const CHANGES: Readonly<Record<string, Change>> = {
  enum: (schema) => (isText(schema) && schema["enum"] === undefined ? { ...schema, enum: ["A", "B"] } : undefined),
  fewerValues: (schema) =>
    listAt(schema, "enum").length > 1 ? { ...schema, enum: listAt(schema, "enum").slice(1) } : undefined,
  maxLength: (schema, random) => (isText(schema) ? { ...schema, maxLength: 1 + random.below(3) } : undefined),
  minLength: (schema, random) => (isText(schema) ? { ...schema, minLength: 2 + random.below(5) } : undefined),
  pattern: (schema, random) =>
    isText(schema) ? { ...schema, pattern: random.pick(["^[a-z]+$", "^$", "[0-9]"]) } : undefined,
  format: (schema, random) =>
    isText(schema)
      ? { ...schema, format: random.pick(["date", "date-time", "uri", "cidr", "byte", "duration"]) }
      : undefined,
  maximum: (schema) => (isNumber(schema) ? { ...schema, maximum: 5 } : undefined),
  minimum: (schema) => (isNumber(schema) ? { ...schema, minimum: 2 } : undefined),
  multipleOf: (schema) => (isNumber(schema) ? { ...schema, multipleOf: 2 } : undefined),
  type: (schema) =>
    isText(schema) && schema["enum"] === undefined
      ? { type: "integer" }
      : isNumber(schema)
        ? { type: "string" }
        : undefined,
  wholeNumber: (schema) => (schema["type"] === "number" ? { ...schema, type: "integer" } : undefined),
  notNull: (schema) => (schema["nullable"] === true ? { ...schema, nullable: false } : undefined),
  maxItems: (schema) => (schema["type"] === "array" ? { ...schema, maxItems: 1 } : undefined),
  minItems: (schema) => (schema["type"] === "array" ? { ...schema, minItems: 1 } : undefined),
  set: (schema) =>
    schema["type"] === "array" && isScalar(objectAt(schema, "items"))
      ? { ...schema, "x-kubernetes-list-type": "set" }
      : undefined,
  byKey: changeToMapList,
  required: changeRequired,
  lost: loseProperty,
  closed: (schema) => (schema[OPEN] === true ? withoutKey(schema, OPEN) : undefined),
  maxProperties: (schema) => (isObject(schema["additionalProperties"]) ? { ...schema, maxProperties: 1 } : undefined),
  rule: addRule,
  transitionRule: (schema) => (isScalar(schema) ? addRules(schema, "self == oldSelf") : undefined),
  finalValue: (schema) => (isScalar(schema) ? addRules(schema, "oldSelf != oldSelf") : undefined),
};

export const CHANGE_NAMES = Object.keys(CHANGES);

function isText(schema: JsonObject): boolean {
  return schema["type"] === "string";
}

function isNumber(schema: JsonObject): boolean {
  return schema["type"] === "integer" || schema["type"] === "number";
}

function isScalar(schema: JsonObject): boolean {
  return isText(schema) || isNumber(schema) || schema["type"] === "boolean";
}

function changeToMapList(schema: JsonObject): JsonObject | undefined {
  const required = textsAt(schema, "items", "required").find((name) =>
    isText(objectAt(schema, "items", "properties", name)),
  );
  if (schema["type"] !== "array" || required === undefined) return undefined;
  return { ...schema, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [required] };
}

function changeRequired(schema: JsonObject, random: Random): JsonObject | undefined {
  const known = textsAt(schema, "required");
  const name = random.oneOf(Object.keys(objectAt(schema, "properties")).filter((one) => !known.includes(one)));
  return name === undefined ? undefined : { ...schema, required: [...known, name] };
}

function loseProperty(schema: JsonObject, random: Random): JsonObject | undefined {
  const properties = objectAt(schema, "properties");
  const name = random.oneOf(Object.keys(properties));
  if (name === undefined || Object.keys(properties).length < 2 || schema[RULES] !== undefined) return undefined;
  const required = textsAt(schema, "required").filter((one) => one !== name);
  const rest = withoutKey(withoutKey(schema, "default"), "required");
  return { ...rest, properties: withoutKey(properties, name), ...(required.length > 0 ? { required } : {}) };
}

function addRule(schema: JsonObject, random: Random): JsonObject | undefined {
  if (isText(schema)) return addRules(schema, random.pick(["self.size() < 3", "self.startsWith('a')", "self == ''"]));
  if (isNumber(schema)) return addRules(schema, "self > 1");
  if (schema["type"] === "boolean") return addRules(schema, "self");
  if (schema["type"] === "array") return addRules(schema, "self.size() != 1");
  const name = random.oneOf(Object.keys(objectAt(schema, "properties")).filter((one) => /^[a-z]+$/i.test(one)));
  return name === undefined ? undefined : addRules(schema, random.pick([`has(self.${name})`, `!has(self.${name})`]));
}

function addRules(schema: JsonObject, rule: string): JsonObject {
  return { ...schema, [RULES]: [...listAt(schema, RULES), { rule }] };
}

function withoutKey(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** The definition with one more change, somewhere in spec or status of a version; undefined where it has no such place. */
export function tighten(crd: JsonObject, name: string, random: Random): JsonObject | undefined {
  const change = CHANGES[name];
  const versions = listAt(crd, "spec", "versions");
  const index = random.below(versions.length);
  const schema = objectAt(versions[index], "schema", "openAPIV3Schema");
  const places = listPlaces(schema, []).filter((place) => change?.(place.schema, random) !== undefined);
  const place = random.oneOf(places);
  const changed = place === undefined ? undefined : change?.(place.schema, random);
  if (place === undefined || changed === undefined) return undefined;
  const next = replaceAt(crd, ["spec", "versions", index, "schema", "openAPIV3Schema", ...place.keys], changed);
  return isObject(next) ? next : undefined;
}

type Place = { readonly keys: readonly (string | number)[]; readonly schema: JsonObject };
const MAX_LEVELS = 12;

/** Every schema below spec and status, those near the root more than once: objects seldom have what is deep. */
function listPlaces(schema: JsonObject, keys: Place["keys"]): readonly Place[] {
  const children = [
    ...Object.entries(objectAt(schema, "properties"))
      .filter(([name]) => keys.length > 0 || name === "spec" || name === "status")
      .map(([name, child]) => [["properties", name], child] as const),
    [["items"], schema["items"]] as const,
    [["additionalProperties"], schema["additionalProperties"]] as const,
  ];
  const below = children.flatMap(([step, child]) =>
    isObject(child) && keys.length < MAX_LEVELS ? listPlaces(child, [...keys, ...step]) : [],
  );
  const own = keys.length === 0 ? [] : Array.from({ length: Math.max(1, 5 - keys.length) }, () => ({ keys, schema }));
  return [...own, ...below];
}

function replaceAt(value: Json, [step, ...rest]: Place["keys"], next: Json): Json {
  if (step === undefined) return next;
  if (isList(value) && typeof step === "number") return value.with(step, replaceAt(value[step] ?? null, rest, next));
  const object = isObject(value) ? value : {};
  return { ...object, [step]: replaceAt(object[step] ?? null, rest, next) };
}
