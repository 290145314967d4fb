import { type Json, type JsonObject, isList, isObject } from "../model/json.ts";
import type { CompiledSchema } from "./schema-compiler.ts";
import { type FieldPath, formatDottedPath } from "./structural/field-path.ts";
import type { StructuralSchema } from "./structural/structural-schema.ts";
import { visitChildren } from "./structural/value-children.ts";

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
  visitChildren(schema, value, path, (child, inner) => collectUntypedPaths(child, inner, path, paths));
}

function fitsType({ types }: StructuralSchema, value: Json): boolean {
  const [type, ...others] = types;
  if (type === undefined || others.length > 0) return true;
  if (type === "array") return isList(value);
  if (type === "object") return isObject(value);
  if (type === "integer" || type === "number") return typeof value === "number";
  return typeof value === type;
}
