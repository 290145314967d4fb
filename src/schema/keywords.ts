import { type Json, type JsonObject, isList, isObject } from "../model/json.ts";

/** A schema that can't be read: caught by `prepare`, which makes a Refused of it. */
export class RefusedSchema extends Error {
  override readonly name = "RefusedSchema";
}

/** Refuses the schema because of what is `where`, which is "" at its root. */
export function refuse(where: string, why: string): never {
  throw new RefusedSchema(`${where === "" ? "the schema" : where} ${why}`);
}

/** A schema's keywords and where it is: "properties[spec].items". */
export type Source = { readonly schema: JsonObject; readonly where: string };

export function step(source: Source, part: string): string {
  return source.where === "" ? part : `${source.where}.${part}`;
}

function read(source: Source, keyword: string): Json | undefined {
  const value = Object.hasOwn(source.schema, keyword) ? source.schema[keyword] : undefined;
  return value === null ? undefined : value;
}

export function has(source: Source, keyword: string): boolean {
  return read(source, keyword) !== undefined;
}

export function raw(source: Source, keyword: string): Json | undefined {
  return read(source, keyword);
}

export function numberIn(source: Source, keyword: string): number | undefined {
  const value = read(source, keyword);
  if (value === undefined || typeof value === "number") return value;
  return refuse(step(source, keyword), "is not a number");
}

export function flagIn(source: Source, keyword: string): boolean {
  const value = read(source, keyword) ?? false;
  return typeof value === "boolean" ? value : refuse(step(source, keyword), "is neither true nor false");
}

export function textIn(source: Source, keyword: string): string {
  const value = read(source, keyword) ?? "";
  return typeof value === "string" ? value : refuse(step(source, keyword), "is not a string");
}

export function listIn(source: Source, keyword: string): readonly Json[] {
  const value = read(source, keyword) ?? [];
  return isList(value) ? value : refuse(step(source, keyword), "is not a list");
}

export function textsIn(source: Source, keyword: string): readonly string[] {
  return listIn(source, keyword).map((item, i) =>
    typeof item === "string" ? item : refuse(step(source, `${keyword}[${i}]`), "is not a string"),
  );
}

export function schemaIn(source: Source, keyword: string): Source | undefined {
  const value = read(source, keyword);
  return value === undefined ? undefined : asSource(value, step(source, keyword));
}

export function schemasIn(source: Source, keyword: string): readonly Source[] {
  return listIn(source, keyword).map((item, i) => asSource(item, step(source, `${keyword}[${i}]`)));
}

export function namedIn(source: Source, keyword: string): readonly (readonly [string, Source])[] {
  const value = read(source, keyword) ?? {};
  if (!isObject(value)) return refuse(step(source, keyword), "is not an object");
  return Object.entries(value).map(
    ([name, item]) => [name, asSource(item, step(source, `${keyword}[${name}]`))] as const,
  );
}

function asSource(value: Json, where: string): Source {
  return isObject(value) ? { schema: value, where } : refuse(where, "is not a schema");
}
