import {
  formatCanonicalJson,
  flagAt,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
} from "../../src/model/json.ts";
import type { JsonType } from "../../src/schema/structural/structural-schema.ts";

/** A schema that allows any value and keeps it whole. */
export const ANY_SCHEMA: JsonObject = { "x-kubernetes-preserve-unknown-fields": true };

const JSON_TYPES: readonly JsonType[] = ["array", "boolean", "integer", "number", "object", "string"];

/** The types that a schema names; an empty list allows any. Two types are int-or-string. */
export function getTypes(schema: JsonObject): readonly JsonType[] {
  if (flagAt(schema, "x-kubernetes-int-or-string") === true) return ["integer", "string"];
  return JSON_TYPES.filter((type) => type === textAt(schema, "type"));
}

/** Whether a value may have this type. An integer is also a number. */
export function canBe(schema: JsonObject, type: JsonType): boolean {
  const types = getTypes(schema);
  return types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));
}

/** The schema and all those of its allOf, and of theirs: a value must fit each of them. */
export function getConjuncts(schema: JsonObject): readonly JsonObject[] {
  return [schema, ...listAt(schema, "allOf").filter(isObject).flatMap(getConjuncts)];
}

/** The keys of an object-valued keyword. */
export function getKeys(schema: JsonObject, keyword: string): readonly string[] {
  return Object.keys(objectAt(schema, keyword));
}

/** The items of a list-valued keyword of these schemas, as canonical text. */
export function getCanonicalItems(schemas: readonly JsonObject[], keyword: string): ReadonlySet<string> {
  return new Set(schemas.flatMap((schema) => listAt(schema, keyword).map(formatCanonicalJson)));
}

/** Whether `after` has anything that `before` lacks. */
export function hasMore(before: ReadonlySet<string>, after: ReadonlySet<string>): boolean {
  return [...after].some((one) => !before.has(one));
}
