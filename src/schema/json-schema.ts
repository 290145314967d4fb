import { type Json, type JsonObject, isList, isObject } from "../model/json.ts";

/** A schema that can't be compiled. `compileSchema` turns it into an InvalidSchema. */
export class InvalidSchemaError extends Error {
  override readonly name = "RefusedSchema";
}

/** Rejects the schema because of the keyword at `path`, which is "" at the root. */
export function rejectSchema(path: string, why: string): never {
  throw new InvalidSchemaError(`${path === "" ? "the schema" : path} ${why}`);
}

/** A schema's keywords and its path: "properties[spec].items". */
export type JsonSchema = { readonly keywords: JsonObject; readonly path: string };

export function joinKeyword(json: JsonSchema, part: string): string {
  return json.path === "" ? part : `${json.path}.${part}`;
}

function getOwnKeyword(json: JsonSchema, keyword: string): Json | undefined {
  const value = Object.hasOwn(json.keywords, keyword) ? json.keywords[keyword] : undefined;
  return value === null ? undefined : value;
}

export function hasKeyword(json: JsonSchema, keyword: string): boolean {
  return getOwnKeyword(json, keyword) !== undefined;
}

export function getKeyword(json: JsonSchema, keyword: string): Json | undefined {
  return getOwnKeyword(json, keyword);
}

export function getNumber(json: JsonSchema, keyword: string): number | undefined {
  const value = getOwnKeyword(json, keyword);
  if (value === undefined || typeof value === "number") return value;
  return rejectSchema(joinKeyword(json, keyword), "is not a number");
}

export function getFlag(json: JsonSchema, keyword: string): boolean {
  const value = getOwnKeyword(json, keyword) ?? false;
  return typeof value === "boolean" ? value : rejectSchema(joinKeyword(json, keyword), "is neither true nor false");
}

export function getText(json: JsonSchema, keyword: string): string {
  const value = getOwnKeyword(json, keyword) ?? "";
  return typeof value === "string" ? value : rejectSchema(joinKeyword(json, keyword), "is not a string");
}

export function getList(json: JsonSchema, keyword: string): readonly Json[] {
  const value = getOwnKeyword(json, keyword) ?? [];
  return isList(value) ? value : rejectSchema(joinKeyword(json, keyword), "is not a list");
}

export function getTexts(json: JsonSchema, keyword: string): readonly string[] {
  return getList(json, keyword).map((item, i) =>
    typeof item === "string" || item === null
      ? (item ?? "")
      : rejectSchema(joinKeyword(json, `${keyword}[${i}]`), "is not a string"),
  );
}

/** The API server decodes an empty list in place of a schema as no schema. */
export function getSchema(json: JsonSchema, keyword: string): JsonSchema | undefined {
  const value = getOwnKeyword(json, keyword);
  return value === undefined || (isList(value) && value.length === 0)
    ? undefined
    : toJsonSchema(value, joinKeyword(json, keyword));
}

export function getSchemas(json: JsonSchema, keyword: string): readonly JsonSchema[] {
  return getList(json, keyword).map((item, i) => toJsonSchema(item, joinKeyword(json, `${keyword}[${i}]`)));
}

export function getNamedSchemas(json: JsonSchema, keyword: string): readonly (readonly [string, JsonSchema])[] {
  const value = getOwnKeyword(json, keyword) ?? {};
  if (!isObject(value)) return rejectSchema(joinKeyword(json, keyword), "is not an object");
  return Object.entries(value).map(
    ([name, item]) => [name, toJsonSchema(item, joinKeyword(json, `${keyword}[${name}]`))] as const,
  );
}

/** The API server decodes a null among schemas as an empty schema. */
function toJsonSchema(value: Json, path: string): JsonSchema {
  if (value === null) return { keywords: {}, path };
  return isObject(value) ? { keywords: value, path } : rejectSchema(path, "is not a schema");
}
