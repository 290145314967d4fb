import { byText } from "../model/json.ts";

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
export type SchemaError = { readonly type: ErrorType; readonly path: string; readonly message: string };

/** A CEL rule that stands at a value of the object and was not evaluated; `path` is the first such value, `location` the place in the schema. */
export type NotEvaluated = { readonly path: string; readonly location: string; readonly rule: string };

/** Errors are sorted by path, pruned fields by path, rules by location. */
export type Verdict = {
  readonly errors: readonly SchemaError[];
  /** Unknown fields that the API server drops without a word when it reads the object. */
  readonly pruned: readonly string[];
  readonly rules: readonly NotEvaluated[];
  /** Were there more errors or pruned fields than are kept? */
  readonly more: boolean;
};

/** How many errors and how many pruned fields of one object are kept. */
export const KEPT_ERRORS = 100;
export const KEPT_PRUNED = 1_000;

/** Where errors are gathered. `matches` counts checks passed, by which the API server chooses the alternative whose errors it tells. */
export type Errors = {
  readonly kept: SchemaError[];
  readonly seen: Set<string>;
  matches: number;
  more: boolean;
};

export function noErrors(): Errors {
  return { kept: [], seen: new Set(), matches: 0, more: false };
}

/** Adds an error, once. */
export function addError(errors: Errors, error: SchemaError): void {
  const key = `${error.path}\u0000${error.type}\u0000${error.message}`;
  if (errors.seen.has(key)) return;
  if (errors.kept.length >= KEPT_ERRORS) {
    errors.more = true;
    return;
  }
  errors.seen.add(key);
  errors.kept.push(error);
}

/** Takes over what was gathered elsewhere, checks passed included. */
export function mergeErrors(into: Errors, from: Errors): void {
  for (const error of from.kept) addError(into, error);
  into.matches += from.matches;
  if (from.more) into.more = true;
}

export function byPath(a: SchemaError, b: SchemaError): number {
  return byText(a.path, b.path) || byText(a.type, b.type) || byText(a.message, b.message);
}
