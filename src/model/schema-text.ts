import { type Json, type JsonObject, formatCanonicalJson, isList, isObject } from "./json.ts";

/** Keywords whose values may be any JSON, so that a key "description" there is data. */
const DATA_KEYWORDS = new Set(["default", "enum", "example"]);
/** Keywords that map names to schemas, so that a key "description" there is a name. */
const NAME_MAP_KEYWORDS = new Set(["properties", "patternProperties", "definitions", "dependencies"]);
/** Keywords below which the API server refuses a description. */
const JUNCTORS = new Set(["allOf", "anyOf", "oneOf", "not"]);

/**
 * A schema as canonical JSON without its descriptions, which are most of its bytes and never affect validation; below a junctor "-" stands
 * for each. In one pass, since a release has megabytes of schemas.
 */
export function formatSchemaText(schema: JsonObject): string {
  const parts: string[] = [];
  addSchema(schema, false, parts);
  return parts.join("");
}

function addSchema(schema: JsonObject, isNested: boolean, parts: string[]): void {
  let separator = "{";
  for (const keyword of Object.keys(schema).toSorted()) {
    const value = schema[keyword] ?? null;
    const isDescription = keyword === "description" && typeof value === "string";
    if (isDescription && (!isNested || value === "")) continue;
    parts.push(separator, JSON.stringify(keyword), ":");
    separator = ",";
    if (isDescription) parts.push('"-"');
    else if (DATA_KEYWORDS.has(keyword)) parts.push(formatCanonicalJson(value));
    else addUnder(keyword, value, isNested || JUNCTORS.has(keyword), parts);
  }
  parts.push(separator === "{" ? "{}" : "}");
}

function addUnder(keyword: string, value: Json, isNested: boolean, parts: string[]): void {
  if (isList(value)) addItems(value, isNested, parts);
  else if (!isObject(value)) parts.push(formatCanonicalJson(value));
  else if (NAME_MAP_KEYWORDS.has(keyword)) addNamedSchemas(value, isNested, parts);
  else addSchema(value, isNested, parts);
}

function addItems(items: readonly Json[], isNested: boolean, parts: string[]): void {
  parts.push("[");
  for (const [i, item] of items.entries()) {
    if (i > 0) parts.push(",");
    addItem(item, isNested, parts);
  }
  parts.push("]");
}

function addNamedSchemas(schemas: JsonObject, isNested: boolean, parts: string[]): void {
  parts.push("{");
  for (const [i, name] of Object.keys(schemas).toSorted().entries()) {
    if (i > 0) parts.push(",");
    parts.push(JSON.stringify(name), ":");
    addItem(schemas[name] ?? null, isNested, parts);
  }
  parts.push("}");
}

function addItem(item: Json, isNested: boolean, parts: string[]): void {
  if (isObject(item)) addSchema(item, isNested, parts);
  else parts.push(formatCanonicalJson(item));
}
