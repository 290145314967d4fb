import { type Json, isList, isObject } from "../../../model/json.ts";
import type { FieldPath, PathSegment } from "./field-path.ts";
import { type StructuralSchema, getFieldSchema } from "./structural-schema.ts";

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
      const [child, inner] = [getFieldSchema(schema, key), value[key]];
      if (child && inner !== undefined) visitAt(schema.properties.has(key) ? key : { key }, child, inner, key);
    }
  }
}
