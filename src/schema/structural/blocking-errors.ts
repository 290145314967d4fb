import type { ErrorList, ErrorType } from "./field-errors.ts";

const BLOCKING_ERROR_TYPES: ReadonlySet<ErrorType> = new Set<ErrorType>([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Errors that keep the API server from running rules. It adds one to say so, which is left out: it is no fault of the object's own. */
export function hasBlockingError(errors: ErrorList): boolean {
  return errors.isTruncated || errors.items.some(({ type }) => BLOCKING_ERROR_TYPES.has(type));
}
