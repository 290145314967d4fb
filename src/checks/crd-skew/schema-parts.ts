import { type Json, at, flagAt, formatCanonicalJson, objectAt } from "../../model/json.ts";

/** A part of a schema as a CRD has it; undefined if the schema lacks it. */
export type SchemaPart = Json | undefined;

const PRESERVE = "x-kubernetes-preserve-unknown-fields";

/** Of what is kept although the schema says nothing of it. */
const KEPT: Json = { [PRESERVE]: true };

export function keepsUnknown(schema: SchemaPart): boolean {
  return flagAt(schema, PRESERVE) === true;
}

/** What keeps unknown fields has any, whole; of those that it names, it keeps what their own schemas do. */
export function getField(schema: SchemaPart, name: string): SchemaPart {
  return at(schema, "properties", name) ?? getChild(schema, "additionalProperties");
}

/** Of all items, or all values. */
export function getChild(schema: SchemaPart, keyword: "items" | "additionalProperties"): SchemaPart {
  return at(schema, keyword) ?? (keepsUnknown(schema) ? KEPT : undefined);
}

/**
 * A field's default in a schema, and in another one. `isKnown`: the other one has the field. `isJudged`: keywords such as rules,
 * numbers of fields or alternatives judge a value around it.
 */
export type DefaultPlace = {
  readonly path: string;
  readonly value: Json;
  readonly other: SchemaPart;
  readonly isKnown: boolean;
  readonly isJudged: boolean;
};

const JUDGING = ["x-kubernetes-validations", "maxProperties", "not", "allOf", "anyOf", "oneOf", "enum"];
/** What may refuse an object that has lost a field. */
export const JUDGING_ABSENCE = [...JUDGING, "minProperties", "required"];

/** The defaults of a schema that the other one has not, or not with this value. */
export function listOtherDefaults(
  schema: SchemaPart,
  other: SchemaPart,
  judging = JUDGING,
  path = "",
  isJudged = false,
): readonly DefaultPlace[] {
  if (schema === undefined) return [];
  const value = at(schema, "default");
  const theirs = at(other, "default");
  const isOther = value !== undefined && !isSameValue(value, theirs);
  const isJudgedBelow = isJudged || judging.some((keyword) => at(schema, keyword) !== undefined);
  return [
    ...(isOther ? [{ path, value, other: theirs, isKnown: other !== undefined, isJudged }] : []),
    ...Object.entries(objectAt(schema, "properties")).flatMap(([name, child]) =>
      listOtherDefaults(child, getField(other, name), judging, path === "" ? name : `${path}.${name}`, isJudgedBelow),
    ),
    ...["items", "additionalProperties"].flatMap((keyword) =>
      listOtherDefaults(at(schema, keyword), at(other, keyword), judging, `${path}[*]`, isJudgedBelow),
    ),
  ];
}

export function isSameValue(a: Json, b: SchemaPart): boolean {
  return b !== undefined && formatCanonicalJson(a) === formatCanonicalJson(b);
}
