import {
  type Json,
  type JsonObject,
  isList,
  isObject,
  listAt,
  objectAt,
  textAt,
  textsAt,
} from "../../../src/model/json.ts";
import { type Mutable, mutable, set } from "../definition/schemas.ts";
import { generateName } from "./compound-schemas.ts";
import { generateJunctors } from "./junctor-schemas.ts";
import type { Random } from "./random.ts";
import { generatePattern } from "./scalar-schemas.ts";
import { generateDefault, generateSchema } from "./schema-generator.ts";

/** Changes a schema in place. */
type Edit = (schema: Mutable, random: Random) => void;

const LIMITS: Readonly<Record<string, readonly string[]>> = {
  string: ["maxLength", "minLength", "pattern", "format", "enum"],
  integer: ["maximum", "minimum", "multipleOf", "format", "enum"],
  number: ["maximum", "minimum", "exclusiveMinimum", "multipleOf", "format"],
  boolean: ["enum"],
  array: ["maxItems", "minItems"],
  object: ["maxProperties", "minProperties"],
};
const FORMATS = ["date", "byte", "duration", "date-time", "ipv4", "int32", "odd"] as const;

/** Narrows the values that are valid, or widens them. */
const limit: Edit = (schema, random) => {
  const keyword = random.oneOf(LIMITS[textAt(schema, "type") ?? "string"] ?? ["nullable"]) ?? "nullable";
  if (keyword in schema && random.chance(0.3)) set(schema, keyword, undefined);
  else set(schema, keyword, generateLimit(keyword, schema, random));
};

function generateLimit(keyword: string, schema: Mutable, random: Random): Json {
  const current = schema[keyword];
  if (typeof current === "number" && keyword !== "multipleOf")
    return Math.max(0, current + random.pick([-2, -1, 1, 5]));
  if (keyword === "pattern") return generatePattern(random);
  if (keyword === "format") return random.pick(FORMATS);
  if (keyword === "enum") return generateEnum(schema, random);
  if (keyword === "exclusiveMinimum" || keyword === "nullable") return current !== true;
  return keyword === "multipleOf" ? random.pick([2, 3]) : random.pick([0, 1, 2, 3, 8]);
}

function generateEnum(schema: Mutable, random: Random): Json {
  const known = listAt(schema, "enum");
  if (known.length > 1) return known.toSpliced(random.below(known.length), 1);
  if (schema["type"] === "boolean") return [random.chance(0.5)];
  return schema["type"] === "string"
    ? ["a", "b", "Managed", "True"].slice(random.below(3))
    : [0, 1, 2].slice(random.below(2));
}

const drop: Edit = (schema, random) => {
  const fixed = new Set(["type", "properties", "items", "additionalProperties", "x-kubernetes-int-or-string"]);
  const keyword = random.oneOf(Object.keys(schema).filter((key) => !fixed.has(key)));
  if (keyword !== undefined) set(schema, keyword, undefined);
};

const require: Edit = (schema, random) => {
  const name = random.oneOf(Object.keys(objectAt(schema, "properties")));
  if (name === undefined) return;
  const required = textsAt(schema, "required");
  const next = required.includes(name) ? required.filter((one) => one !== name) : [...required, name];
  set(schema, "required", next.length > 0 ? next : undefined);
};

/** Removes, renames, adds or moves a property. */
const property: Edit = (schema, random) => {
  const properties = mutable(schema["properties"] ?? {});
  const name = random.oneOf(Object.keys(properties));
  if (name === undefined || random.chance(0.3)) return addProperty(schema, random);
  const value = properties[name] ?? {};
  const kept = Object.fromEntries(Object.entries(properties).filter(([key]) => key !== name));
  const target = random.oneOf(Object.values(kept).filter((one) => isObject(objectAt(one)["properties"] ?? null)));
  const next = random.pick<() => JsonObject>([
    () => kept,
    () => ({ ...kept, [generateName(random)]: value }),
    () => (target === undefined ? kept : moveInto(kept, target, name, value)),
  ])();
  set(schema, "properties", next);
  if (random.chance(0.9)) forget(schema, name);
};

function moveInto(properties: JsonObject, target: Json, name: string, value: Json): JsonObject {
  const entries = Object.entries(properties).map(([key, one]): [string, Json] =>
    one === target && isObject(one)
      ? [key, { ...one, properties: { ...objectAt(one, "properties"), [name]: value } }]
      : [key, one],
  );
  return Object.fromEntries(entries);
}

/** What names a property that is no longer there. */
function forget(schema: Mutable, name: string): void {
  const required = textsAt(schema, "required").filter((one) => one !== name);
  set(schema, "required", required.length > 0 ? required : undefined);
  if (isObject(schema["default"] ?? null)) set(schema, "default", undefined);
}

function addProperty(schema: Mutable, random: Random): void {
  if (schema["type"] !== "object" || schema["additionalProperties"] !== undefined) return;
  const name = generateName(random);
  const added = Object.fromEntries([[name, generateSchema(3, random)]]);
  set(schema, "properties", { ...objectAt(schema, "properties"), ...added });
  if (random.chance(0.3)) set(schema, "required", [...new Set([...textsAt(schema, "required"), name])]);
}

/** Another type for the same field. */
const retype: Edit = (schema, random) => {
  const type = textAt(schema, "type");
  const isScalar = type === "string" || type === "integer" || type === "number" || type === "boolean";
  const next = random.chance(0.5) && isScalar ? generateScalarLike(type, random) : generateSchema(3, random);
  for (const key of Object.keys(schema)) set(schema, key, undefined);
  for (const [key, value] of Object.entries(next)) set(schema, key, value);
};

function generateScalarLike(type: string, random: Random): JsonObject {
  if (random.chance(0.3)) return { "x-kubernetes-int-or-string": true };
  return { type: type === "integer" ? random.pick(["number", "string"]) : random.pick(["integer", "string"]) };
}

const listType: Edit = (schema, random) => {
  if (schema["type"] === "object") {
    return set(schema, "x-kubernetes-map-type", random.pick(["atomic", "granular", undefined]));
  }
  if (schema["type"] !== "array") return limit(schema, random);
  const items = schema["items"] ?? null;
  const keys = Object.keys(objectAt(items, "properties")).filter((name) => isKey(objectAt(items, "properties", name)));
  const type = random.pick(["atomic", "set", "map", undefined]);
  const key = random.oneOf(keys);
  if (type === "map" && key === undefined) return;
  set(schema, "x-kubernetes-list-type", type);
  set(schema, "x-kubernetes-list-map-keys", type === "map" ? [key ?? ""] : undefined);
  if (type !== "map" || !isObject(items) || objectAt(items, "properties", key ?? "")["default"] !== undefined) return;
  set(mutable(items), "required", [...new Set([...textsAt(items, "required"), key ?? ""])]);
};

function isKey(schema: JsonObject): boolean {
  return ["string", "integer", "boolean"].includes(textAt(schema, "type") ?? "") && schema["nullable"] !== true;
}

const openness: Edit = (schema, random) => {
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (isOpen && schema["type"] === "object" && random.chance(0.4)) {
    return set(
      schema,
      "x-kubernetes-embedded-resource",
      schema["x-kubernetes-embedded-resource"] === true ? undefined : true,
    );
  }
  if (isOpen && schema["type"] === "object") return set(schema, "x-kubernetes-preserve-unknown-fields", undefined);
  if (schema["type"] !== "object") return limit(schema, random);
  if (isObject(schema["additionalProperties"] ?? null) && random.chance(0.5)) {
    const key = random.pick(["a", "b.c", "F"]);
    set(schema, "properties", { [key]: schema["additionalProperties"] ?? {} });
    return set(schema, "additionalProperties", undefined);
  }
  set(schema, "x-kubernetes-preserve-unknown-fields", true);
};

const junctor: Edit = (schema, random) => {
  const known = ["anyOf", "allOf", "oneOf", "not"].filter((key) => key in schema);
  const one = random.oneOf(known);
  if (one !== undefined && random.chance(0.5)) return set(schema, one, undefined);
  for (const [key, value] of Object.entries(generateJunctors(schema, random))) set(schema, key, value);
};

const fallback: Edit = (schema, random) => {
  if (schema["default"] !== undefined && random.chance(0.4)) return set(schema, "default", undefined);
  set(schema, "default", generateDefault(schema, random)["default"]);
};

const nullable: Edit = (schema) => set(schema, "nullable", schema["nullable"] === true ? undefined : true);

const rule: Edit = (schema, random) => {
  const rules = listAt(schema, "x-kubernetes-validations");
  if (rules.length === 0) return limit(schema, random);
  const i = random.below(rules.length);
  const next = random.chance(0.5) ? rules.toSpliced(i, 1) : rules.with(i, changeRule(rules[i] ?? {}, random));
  set(schema, "x-kubernetes-validations", next.length > 0 ? next : undefined);
};

/** The same rule with another number or operator. */
function changeRule(one: Json, random: Random): Json {
  if (!isObject(one) || isList(one)) return one;
  const text = textAt(one, "rule") ?? "true";
  const next = random.pick<() => string>([
    () => text.replace(/\d+/, String(random.below(6))),
    () => text.replace(/[<>]=?|==|!=/, random.pick(["<", ">=", "==", "!="])),
    () => `!(${text})`,
    () => `(${text}) || true`,
  ])();
  return { ...one, rule: next };
}

const EDITS = [limit, limit, limit, limit, drop, require, require, property, property, property, retype] as const;
const RARE_EDITS = [
  listType,
  listType,
  listType,
  openness,
  openness,
  junctor,
  junctor,
  fallback,
  fallback,
  nullable,
  rule,
  rule,
] as const;

export function editSchema(schema: Mutable, random: Random): void {
  const edit = random.chance(0.55) ? random.pick([...EDITS]) : random.pick([...RARE_EDITS]);
  edit(schema, random);
}
