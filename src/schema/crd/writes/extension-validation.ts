import { type Json, at, isList, isObject } from "../../../model/json.ts";
import { validateEmbeddedResource } from "./embedded-resource.ts";
import {
  findDuplicates,
  type StructuralSchema,
  type FieldPath,
  formatBracketPath,
  visitChildren,
  type ErrorList,
  addError,
} from "../../openapi/index.ts";
import { isMergeable } from "./typed-object.ts";

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
  if (!schema.hasExtensions) return;
  const { listType } = schema;
  if (withListTypes && listType && isList(value)) {
    if (!value.every((item) => isMergeable(listType, item))) errors.mayRefuseApply = true;
    for (const { index, type, message } of findDuplicates(listType, value))
      addError(errors, { type, path: formatBracketPath([...path, index]), message });
  }
  if (schema.isEmbeddedResource && path.length > 0 && isObject(value)) {
    if (at(value, "metadata", "managedFields") !== undefined) errors.mayRefuseApply = true;
    for (const { field, ...error } of validateEmbeddedResource(value))
      addError(errors, { ...error, path: formatBracketPath([...path, ...field]) });
  }
  visitChildren(schema, value, path, (child, inner) => validateExtensions(child, inner, path, errors, withListTypes));
}

/** Whether the value has a list that is not what its type says, wherever it stands. */
export function hasListFaults(schema: StructuralSchema, value: Json): boolean {
  const { hasExtensions, listType } = schema;
  if (!hasExtensions) return false;
  let isFaulty = listType !== undefined && isList(value) && findDuplicates(listType, value).length > 0;
  visitChildren(schema, value, [], (child, inner) => {
    isFaulty ||= hasListFaults(child, inner);
  });
  return isFaulty;
}
