import { type Json, isList, isObject } from "../../../model/json.ts";
import { type StructuralSchema, getFieldSchema } from "./structural-schema.ts";

/** A step of a path: a property's name, an index, or a map key. */
export type PathSegment = string | number | { readonly key: string };

/** The current path. It grows and shrinks during the walk, and is only formatted for messages. */
export type FieldPath = PathSegment[];

/** "spec.list[0].map[key]": map keys in brackets, as the API server's validation of list types and embedded resources prints paths. */
export function formatBracketPath(path: readonly PathSegment[]): string {
  return path.reduce<string>((text, segment) => {
    if (typeof segment === "number") return `${text}[${segment}]`;
    if (typeof segment === "object") return `${text}[${segment.key}]`;
    return text === "" ? segment : `${text}.${segment}`;
  }, "");
}

/** "spec.list[0].map.key": map keys after a dot, as the API server's schema validation and pruning print paths. */
export function formatDottedPath(path: readonly PathSegment[]): string {
  return formatBracketPath(path.map((segment) => (typeof segment === "object" ? segment.key : segment)));
}

/** Visits the items or fields of a value that have a schema; the path leads to each during its visit. */
export function visitChildren(
  schema: StructuralSchema,
  value: Json,
  path: FieldPath,
  visit: (child: StructuralSchema, value: Json, step: string | number) => void,
): void {
  const visitAt = (segment: PathSegment, child: StructuralSchema, inner: Json, step: string | number): void => {
    path.push(segment);
    visit(child, inner, step);
    path.pop();
  };
  if (isList(value) && schema.items) {
    for (const [i, item] of value.entries()) visitAt(i, schema.items, item, i);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const child = getFieldSchema(schema, key);
      const inner = value[key];
      if (child && inner !== undefined) visitAt(schema.properties.has(key) ? key : { key }, child, inner, key);
    }
  }
}
