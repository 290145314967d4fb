import { type Json, type JsonObject, isList, isObject } from "../model/json.ts";
import type { CompiledSchema } from "./schema-compiler.ts";
import { type FieldPath, formatDottedPath } from "./structural/field-path.ts";
import { getAdditionalSchema, type StructuralSchema } from "./structural/structural-schema.ts";

/**
 * The paths at which a stored object does not have its schema's type for server-side apply (structured-merge-diff), which then fails
 * with "failed to create typed live object". Null and any number fit, and int-or-string accepts everything.
 */
export function findUntypedPaths({ root }: CompiledSchema, object: JsonObject): ReadonlySet<string> {
  const paths: string[] = [];
  collectUntypedPaths(root, object, [], paths);
  return new Set(paths);
}

function collectUntypedPaths(schema: StructuralSchema, value: Json, path: FieldPath, paths: string[]): void {
  if (value === null) return;
  if (!fitsType(schema, value)) {
    paths.push(formatDottedPath(path));
    return;
  }
  if (isList(value) && schema.items) {
    for (const [i, item] of value.entries()) collectUntypedPaths(schema.items, item, [...path, i], paths);
  } else if (isObject(value)) {
    for (const [name, child] of Object.entries(value)) {
      const below = schema.properties.get(name) ?? getAdditionalSchema(schema);
      if (below) collectUntypedPaths(below, child, [...path, name], paths);
    }
  }
}

function fitsType({ types }: StructuralSchema, value: Json): boolean {
  const [type, ...others] = types;
  if (type === undefined || others.length > 0) return true;
  if (type === "array") return isList(value);
  if (type === "object") return isObject(value);
  if (type === "integer" || type === "number") return typeof value === "number";
  return typeof value === type;
}
