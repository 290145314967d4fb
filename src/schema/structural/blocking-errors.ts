import type { ErrorList, ErrorType } from "./field-errors.ts";

const BLOCKING_ERROR_TYPES: ReadonlySet<ErrorType> = new Set<ErrorType>([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Errors after which the API server runs no rules. The error that it adds to say so is left out, because it is not a fault of the object. */
export function hasBlockingError(errors: ErrorList): boolean {
  return errors.isTruncated || errors.items.some(({ type }) => BLOCKING_ERROR_TYPES.has(type));
}
