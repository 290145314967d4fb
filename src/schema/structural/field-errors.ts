import { compareText } from "../../model/json.ts";

/** The API server's own words (field.ErrorType). */
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
 * One thing that the API server refuses. `path` is the API server's own field path; where it gives none ("<nil>": alternatives
 * and ranges of numbers) it is the place that its message names, and "" is the object itself. `message` needs no path to be understood.
 */
export type FieldError = { readonly type: ErrorType; readonly path: string; readonly message: string };

/** A CEL rule that stands at a value of the object and was not evaluated; `path` is the first such value, `location` the place in the schema. */
export type UnevaluatedRule = { readonly path: string; readonly location: string; readonly rule: string };

/** Errors are sorted by path, pruned fields by path, rules by location. */
export type ValidationResult = {
  readonly errors: readonly FieldError[];
  /** Unknown fields that the API server drops without a word when it reads the object. */
  readonly prunedPaths: readonly string[];
  readonly unevaluatedRules: readonly UnevaluatedRule[];
  /** Were there more errors or pruned fields than are kept? */
  readonly isTruncated: boolean;
};

/** How many errors and how many pruned fields of one object are kept. */
export const MAX_ERRORS = 100;
export const MAX_PRUNED = 1_000;

/** Where errors are gathered. `matches` counts checks passed, by which the API server chooses the alternative whose errors it tells. */
export type ErrorList = {
  readonly items: FieldError[];
  readonly keys: Set<string>;
  matchCount: number;
  isTruncated: boolean;
};

export function createErrorList(): ErrorList {
  return { items: [], keys: new Set(), matchCount: 0, isTruncated: false };
}

/** Adds an error, once. */
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

/** Takes over what was gathered elsewhere, checks passed included. */
export function mergeErrors(into: ErrorList, from: ErrorList): void {
  for (const error of from.items) addError(into, error);
  into.matchCount += from.matchCount;
  if (from.isTruncated) into.isTruncated = true;
}

export function compareErrors(a: FieldError, b: FieldError): number {
  return compareText(a.path, b.path) || compareText(a.type, b.type) || compareText(a.message, b.message);
}
