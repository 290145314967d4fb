import { canonical, flagAt, isObject, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { JsonType } from "../../src/schema/node.ts";

/** A schema that takes any value and keeps it whole. */
export const ANYTHING: JsonObject = { "x-kubernetes-preserve-unknown-fields": true };

const JSON_TYPES: readonly JsonType[] = ["array", "boolean", "integer", "number", "object", "string"];

/** The types that a schema names; none: any. Two: int-or-string. */
export function typesOf(schema: JsonObject): readonly JsonType[] {
  if (flagAt(schema, "x-kubernetes-int-or-string") === true) return ["integer", "string"];
  return JSON_TYPES.filter((type) => type === textAt(schema, "type"));
}

/** May a value be of this type? An integer is a number too. */
export function canBe(schema: JsonObject, type: JsonType): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));
}

/** The schema and all those of its allOf, and of theirs: a value must fit each of them. */
export function conjuncts(schema: JsonObject): readonly JsonObject[] {
  return [schema, ...listAt(schema, "allOf").filter(isObject).flatMap(conjuncts)];
}

/** The keys of an object-valued keyword. */
export function namesIn(schema: JsonObject, keyword: string): readonly string[] {
  return Object.keys(objectAt(schema, keyword));
}

/** What stands under a list-valued keyword of any of these schemas, each as canonical text. */
export function textsUnder(schemas: readonly JsonObject[], keyword: string): ReadonlySet<string> {
  return new Set(schemas.flatMap((schema) => listAt(schema, keyword).map(canonical)));
}

/** Is anything among `after` that `before` lacks? */
export function hasMore(before: ReadonlySet<string>, after: ReadonlySet<string>): boolean {
  return [...after].some((one) => !before.has(one));
}
