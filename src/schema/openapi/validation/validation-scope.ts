import type { Json } from "../../../model/json.ts";
import type { StructuralSchema } from "../structural/structural-schema.ts";
import { type FieldPath, formatDottedPath } from "../structural/field-path.ts";
import { type ErrorType, type ErrorList, addError } from "../structural/field-errors.ts";

/** Replaces `validateValue` for a field or an item; the path already leads to it. */
export type ValidateChild = (
  schema: StructuralSchema,
  value: Json,
  step: string | number,
  scope: ValidationScope,
) => void;

/** The state of a validation: path, errors, whether number ranges of formats are enforced, and how children are validated if not by default. */
export type ValidationScope = {
  readonly path: FieldPath;
  readonly errors: ErrorList;
  readonly hasNumberRanges: boolean;
  readonly validateChild?: ValidateChild | undefined;
};

/** Adds the error that most faults of a value are, at the current path. */
export function refuseValue(scope: ValidationScope, message: string): void {
  reportError(scope, "FieldValueInvalid", message);
}

/** Adds an error at the current path, or at a field of it. */
export function reportError(scope: ValidationScope, type: ErrorType, message: string, field?: string): void {
  const path = formatDottedPath(field === undefined ? scope.path : [...scope.path, field]);
  addError(scope.errors, { type, path, message });
}
