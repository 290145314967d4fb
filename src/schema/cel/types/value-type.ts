import type { JsonNumber } from "../../../model/json.ts";
import { countBytes, hasFeature, type SchemaProps, NO_PROPS } from "../../openapi/index.ts";
import { escapeName } from "../values/text.ts";
import type { Type, ValueType } from "./types.ts";
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, listType, mapType } from "./types.ts";

/** The most bytes of a request; a fixed part of the estimate, whatever the server allows. */
export const REQUEST_BYTES = 3 * 1024 * 1024;
const TIME_CHARACTERS = 32;
const DATE_CHARACTERS = 12;

function plain(type: Type, leastBytes: number, most = 0): ValueType {
  return { type, most, leastBytes, fields: undefined, key: undefined, element: undefined };
}

const BOOL_VALUE = plain(BOOL, 4);
const DOUBLE_VALUE = plain(DOUBLE, 1);
const INT_VALUE = plain(INT, 1);
const KEY = plain(STRING, 2);

/**
 * Undefined if rules can't see the value, because it or something below has no type. A resource always has its four well-known fields.
 * `minor`: of the API server's Kubernetes.
 */
export function valueType(schema: SchemaProps, isResource: boolean, minor: number): ValueType | undefined {
  if (schema.intOrString) return plain(DYN, 1, intOrStringMost(schema, minor));
  const seen = isResource ? withTypeAndName(schema) : schema;
  switch (seen.type) {
    case "array":
      return seen.items && collectionValue(seen.items, seen.limits.maxItems, minor);
    case "object":
      if (seen.additional?.schema)
        return collectionValue(seen.additional.schema, seen.limits.maxProperties, minor, KEY);
      return objectValue(seen, minor);
    case "string":
      return textValue(seen, minor);
    case "boolean":
      return BOOL_VALUE;
    case "number":
      return DOUBLE_VALUE;
    case "integer":
      return INT_VALUE;
    default:
      return undefined;
  }
}

const TEXT: SchemaProps = { ...NO_PROPS, type: "string" };
const NAMES: SchemaProps = {
  ...NO_PROPS,
  type: "object",
  properties: new Map([
    ["name", TEXT],
    ["generateName", TEXT],
  ]),
};

function withTypeAndName(schema: SchemaProps): SchemaProps {
  const { properties } = schema;
  const metadata = properties.get("metadata");
  const named = [
    properties.get("kind"),
    properties.get("apiVersion"),
    ...["name", "generateName"].map((name) => metadata?.properties.get(name)),
  ];
  if (metadata?.type === "object" && named.every((property) => property?.type === "string")) return schema;
  return { ...schema, properties: new Map([...properties, ["kind", TEXT], ["apiVersion", TEXT], ["metadata", NAMES]]) };
}

function limitOr(otherwise: number, limit: JsonNumber | undefined): number {
  return limit === undefined ? otherwise : Math.max(0, Number(limit));
}

/** A list, or a map if there is a key. Without a limit it has as many elements as fit in a request, each with its separators. */
function collectionValue(
  schema: SchemaProps,
  limit: number | undefined,
  minor: number,
  key?: ValueType,
): ValueType | undefined {
  const element = valueType(schema, schema.embedded, minor);
  if (element === undefined) return undefined;
  const most = limitOr(Math.floor((REQUEST_BYTES - 2) / (element.leastBytes + (key ? 6 : 1))), limit);
  const type = key ? mapType(key.type, element.type) : listType(element.type);
  return { type, most, leastBytes: 2, fields: undefined, key, element };
}

let objects = 0;

/** Two objects never have the same type, even if they have the same fields. */
function objectValue(schema: SchemaProps, minor: number): ValueType {
  const required = new Set(schema.required);
  const fields = new Map<string, ValueType>();
  let leastBytes = 2;
  for (const [name, property] of schema.properties) {
    const field = valueType(property, property.embedded, minor);
    if (field === undefined) continue;
    const seen = escapeName(name);
    if (seen !== undefined) fields.set(seen, field);
    if (required.has(name) && property.default === undefined) leastBytes += countBytes(name) + field.leastBytes + 4;
  }
  const type: Type = { kind: "struct", name: `object ${objects++}`, parameters: [], fields };
  return { type, most: 0, leastBytes, fields, key: undefined, element: undefined };
}

function textValue(schema: SchemaProps, minor: number): ValueType {
  switch (schema.format) {
    case "byte":
      return plain(BYTES, 2, limitOr(REQUEST_BYTES - 2, schema.limits.maxLength));
    case "duration":
      return plain(DURATION, 3, TIME_CHARACTERS);
    case "date":
      return plain(TIMESTAMP, DATE_CHARACTERS, DATE_CHARACTERS);
    case "date-time":
      return plain(TIMESTAMP, 21, TIME_CHARACTERS);
    default:
      return plain(STRING, 2, textMost(schema, minor));
  }
}

function intOrStringMost({ limits }: SchemaProps, minor: number): number {
  return limits.maxLength !== undefined && hasFeature("intOrStringLengths", minor)
    ? countLongest(limits.maxLength)
    : REQUEST_BYTES - 2;
}

/** A character may take four bytes. The API server counts them in 64 bits, and begins again at 0 beyond. */
function countLongest(maxLength: JsonNumber): number {
  return maxLength < 0 ? 0 : Number(BigInt.asUintN(64, BigInt(maxLength) * 4n));
}

function textMost(schema: SchemaProps, minor: number): number {
  if (schema.limits.maxLength !== undefined) return countLongest(schema.limits.maxLength);
  if (schema.enum.length === 0 || !hasFeature("enumLengths", minor)) return REQUEST_BYTES - 2;
  return Math.max(0, ...schema.enum.map((value) => (typeof value === "string" ? countBytes(value) : 0)));
}
