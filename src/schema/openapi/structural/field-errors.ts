import { compareText } from "../../../model/json.ts";
import type { DroppedField } from "../decoding/coercion.ts";

/** The API server's error types (field.ErrorType). */
export type ErrorType =
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueRequired"
  | "FieldValueTypeInvalid"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueDuplicate"
  | "FieldValueForbidden";

/**
 * One reason for which the API server refuses an object. `path` is the API server's field path; if it has none ("<nil>": alternatives and
 * number ranges), the path that its message names; "" is the object itself. `message` can be understood without the path.
 */
export type FieldError = {
  readonly type: ErrorType;
  readonly path: string;
  readonly message: string;
  /** The API server can't even read the object, so that every list of its kind fails. */
  readonly isUnreadable?: boolean;
};

/** A reason for which every server-side apply of an object fails. */
export type ApplyFault = { readonly path: string; readonly message: string };

/** A CEL rule that applies to a value of the object and was not evaluated; `path` is the first such value, `location` its path in the schema. */
export type UnevaluatedRule = { readonly path: string; readonly location: string; readonly rule: string };

/** Errors, fields and faults are sorted by path, rules by location. */
export type ValidationResult = {
  readonly errors: readonly FieldError[];
  /** Unknown fields that the API server silently drops when it reads the object. */
  readonly prunedPaths: readonly string[];
  /** Fields of embedded resources that it drops as well: metadata that it doesn't know or can't decode. */
  readonly droppedFields: readonly DroppedField[];
  /** Why every server-side apply of the object fails. */
  readonly applyFaults: readonly ApplyFault[];
  readonly unevaluatedRules: readonly UnevaluatedRule[];
  /** Are there more errors or pruned fields than the limits allow? */
  readonly isTruncated: boolean;
};

/** Limits on the errors and pruned fields of one object. */
export const MAX_ERRORS = 100;
export const MAX_PRUNED = 1_000;

/**
 * Collects errors. `matchCount` counts passed validations, by which the API server chooses the alternative whose errors it reports.
 * `mayRefuseApply`: there is a value that server-side apply may refuse, valid or not.
 */
export type ErrorList = {
  readonly items: FieldError[];
  readonly keys: Set<string>;
  matchCount: number;
  mayRefuseApply: boolean;
  isTruncated: boolean;
};

export function createErrorList(): ErrorList {
  return { items: [], keys: new Set(), matchCount: 0, mayRefuseApply: false, isTruncated: false };
}

/** Adds an error unless it is already there. */
export function addError(errors: ErrorList, error: FieldError): void {
  const key = `${error.path}\u0000${error.type}\u0000${error.message}`;
  if (errors.keys.has(key)) return;
  if (errors.items.length >= MAX_ERRORS) {
    errors.isTruncated = true;
    return;
  }
  errors.keys.add(key);
  errors.items.push(error);
}

/** Adds the errors and the match count of another list. */
export function mergeErrors(into: ErrorList, from: ErrorList): void {
  for (const error of from.items) addError(into, error);
  into.matchCount += from.matchCount;
  if (from.mayRefuseApply) into.mayRefuseApply = true;
  if (from.isTruncated) into.isTruncated = true;
}

export function compareErrors(a: FieldError, b: FieldError): number {
  return compareText(a.path, b.path) || compareText(a.type, b.type) || compareText(a.message, b.message);
}

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
