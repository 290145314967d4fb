import type { Json } from "../../model/json.ts";
import type { StructuralSchema } from "../structural/structural-schema.ts";
import { type FieldPath, formatDottedPath } from "../structural/field-path.ts";
import { type ErrorType, type ErrorList, addError } from "../structural/field-errors.ts";

/** Validates a field or an item in another way than `validate` does; the path leads to it already. */
export type ValidateChild = (
  schema: StructuralSchema,
  value: Json,
  step: string | number,
  scope: ValidationScope,
) => void;

/** Where a validation is, where its errors go, whether ranges of formats count, and how it goes on below where that differs. */
export type ValidationScope = {
  readonly path: FieldPath;
  readonly errors: ErrorList;
  readonly hasNumberRanges: boolean;
  readonly validateChild?: ValidateChild | undefined;
};

/** Adds an error at the present place, or at a field of it. */
export function reportError(scope: ValidationScope, type: ErrorType, message: string, field?: string): void {
  const path = formatDottedPath(field === undefined ? scope.path : [...scope.path, field]);
  addError(scope.errors, { type, path, message });
}
