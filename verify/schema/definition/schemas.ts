import type { Random } from "../random/random.ts";
import { type Json, at, isList, isObject, listAt } from "../../../src/model/json.ts";

/** A mutable JSON object: part of the test's own copy. */
export type Mutable = { [key: string]: Json };

/** A schema of a CRD, together with the CRD. */
export type Schema = { readonly schema: Mutable; readonly definition: Mutable };

/** Changes a CRD in one place. */
export type Mutation = (schema: Schema, random: Random, definition: Mutable) => void;

/** The value if it is an object, or a new object. */
export function mutable(value: Json): Mutable {
  return isObject(value) ? value : {};
}

export function set(schema: Mutable, keyword: string, value: Json | undefined): void {
  if (value === undefined) delete schema[keyword];
  else schema[keyword] = structuredClone(value);
}

/** Every schema in the structure, the root first. */
export function schemasIn(definition: Mutable): readonly Schema[] {
  return listAt(definition, "spec", "versions").flatMap((version) => {
    const root = at(version, "schema", "openAPIV3Schema");
    return [...below(root)].map((schema) => ({ schema, definition }));
  });
}

function* below(value: Json | undefined): Generator<Mutable> {
  if (!isObject(value)) return;
  const schema = mutable(value);
  yield schema;
  for (const keyword of ["items", "additionalProperties"]) yield* below(schema[keyword]);
  const { properties } = schema;
  if (isObject(properties)) for (const property of Object.values(properties)) yield* below(property);
}

/** The names by which a rule can access the fields of a schema, two levels deep. */
export function schemaPaths(schema: Mutable, prefix = "self", depth = 2): string[] {
  const { properties } = schema;
  if (depth === 0 || !isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!/^[A-Za-z]\w*$/.test(name)) return [];
    const path = `${prefix}.${name}`;
    return [path, ...(isObject(property) ? schemaPaths({ ...property }, path, depth - 1) : [])];
  });
}

/** A CRD without the descriptions in its schema, which are most of its bytes. */
export function withoutDescriptions(value: Json): Json {
  if (isList(value)) return value.map(withoutDescriptions);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, text]) => key !== "description" || typeof text !== "string");
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutDescriptions(item)]));
}
