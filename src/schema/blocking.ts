import type { Errors, ErrorType } from "./verdict.ts";

const BLOCKING: ReadonlySet<ErrorType> = new Set<ErrorType>([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Errors that keep the API server from running rules. It adds one to say so, which is left out: it is no fault of the object's own. */
export function isBlocked(errors: Errors): boolean {
  return errors.more || errors.kept.some(({ type }) => BLOCKING.has(type));
}
