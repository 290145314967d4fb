import { type Json, isList, isObject } from "../model/json.ts";
import { validateEmbeddedResource } from "./objectmeta/embedded-resource.ts";
import { findDuplicates } from "./list-types.ts";
import { type StructuralSchema, getAdditionalSchema } from "./structural/structural-schema.ts";
import { type FieldPath, formatBracketPath } from "./structural/field-path.ts";
import { type ErrorList, addError } from "./structural/field-errors.ts";

/**
 * Validates list types (if requested) and embedded resources, which the API server does apart from the schema's validation. The
 * object itself is not an embedded resource.
 */
export function validateExtensions(
  schema: StructuralSchema,
  value: Json,
  path: FieldPath,
  errors: ErrorList,
  withListTypes = true,
): void {
  if (!schema.hasExtensions || typeof value !== "object" || value === null) return;
  if (isList(value)) validateListType(schema, value, path, errors, withListTypes);
  else if (isObject(value)) validateMapExtensions(schema, value, path, errors, withListTypes);
}

function validateListType(
  schema: StructuralSchema,
  list: readonly Json[],
  path: FieldPath,
  errors: ErrorList,
  withListTypes: boolean,
): void {
  for (const { index, type, message } of withListTypes && schema.listType
    ? findDuplicates(schema.listType, list)
    : []) {
    addError(errors, { type, path: formatBracketPath([...path, index]), message });
  }
  if (!schema.items?.hasExtensions) return;
  for (const [i, item] of list.entries()) {
    path.push(i);
    validateExtensions(schema.items, item, path, errors, withListTypes);
    path.pop();
  }
}

function validateMapExtensions(
  schema: StructuralSchema,
  map: { readonly [key: string]: Json },
  path: FieldPath,
  errors: ErrorList,
  withListTypes: boolean,
): void {
  if (schema.isEmbeddedResource && path.length > 0) {
    for (const { field, type, message } of validateEmbeddedResource(map))
      addError(errors, { type, path: formatBracketPath([...path, ...field]), message });
  }
  const additional = getAdditionalSchema(schema);
  for (const key of Object.keys(map)) {
    const property = schema.properties.get(key);
    const child = property ?? additional;
    const value = map[key];
    if (!child?.hasExtensions || value === undefined) continue;
    path.push(property ? key : { key });
    validateExtensions(child, value, path, errors, withListTypes);
    path.pop();
  }
}
