import { type Json, isList, isObject, compareText } from "../../model/json.ts";
import { type StructuralSchema, getAdditionalSchema } from "./structural-schema.ts";
import type { DroppedField } from "./object-meta.ts";

/** A step of a path: a property's name, an index, or a map key. */
export type PathSegment = string | number | { readonly key: string };

/** The current path. It grows and shrinks during the walk, and is only formatted for messages. */
export type FieldPath = PathSegment[];

/** "spec.list[0].map[key]": map keys in brackets, as the API server's validation of list types and embedded resources prints paths. */
export function formatBracketPath(path: readonly PathSegment[]): string {
  return path.reduce<string>((text, segment) => {
    if (typeof segment === "number") return `${text}[${segment}]`;
    if (typeof segment === "object") return `${text}[${segment.key}]`;
    return text === "" ? segment : `${text}.${segment}`;
  }, "");
}

/** "spec.list[0].map.key": map keys after a dot, as the API server's schema validation and pruning print paths. */
export function formatDottedPath(path: readonly PathSegment[]): string {
  return formatBracketPath(path.map((segment) => (typeof segment === "object" ? segment.key : segment)));
}

/** Which items and fields a walk visits, by their schemas, and how. What changes on the way is in its state, so that no visit makes a closure. */
export type ChildVisitor<S> = {
  readonly concerns: (child: StructuralSchema) => boolean;
  readonly visit: (child: StructuralSchema, value: Json, step: string | number, state: S) => void;
};

/** Visits the items or fields of a value that have a schema; the state's path leads to each during its visit. */
export function visitChildren<S extends { readonly path: FieldPath }>(
  schema: StructuralSchema,
  value: Json,
  { concerns, visit }: ChildVisitor<S>,
  state: S,
): void {
  const { items } = schema;
  if (isList(value) && items && concerns(items)) {
    for (let i = 0; i < value.length; i++) visitAt(i, items, value[i], i, visit, state);
  } else if (isObject(value)) {
    const additional = getAdditionalSchema(schema);
    for (const key in value) {
      const property = schema.properties.get(key);
      const child = property ?? additional;
      if (child && concerns(child)) visitAt(property ? key : { key }, child, value[key], key, visit, state);
    }
  }
}

function visitAt<S extends { readonly path: FieldPath }>(
  segment: PathSegment,
  child: StructuralSchema,
  value: Json | undefined,
  step: string | number,
  visit: ChildVisitor<S>["visit"],
  state: S,
): void {
  if (value === undefined) return;
  state.path.push(segment);
  visit(child, value, step, state);
  state.path.pop();
}

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
const MAX_ERRORS = 100;
export const MAX_PRUNED = 1_000;

/**
 * Collects errors. `matchCount` counts passed validations, by which the API server chooses the alternative whose errors it reports.
 * `mayRefuseApply`: there is a value that server-side apply may refuse, valid or not.
 */
export type ErrorList = {
  readonly items: FieldError[];
  matchCount: number;
  mayRefuseApply: boolean;
  isTruncated: boolean;
};

export function createErrorList(): ErrorList {
  return { items: [], matchCount: 0, mayRefuseApply: false, isTruncated: false };
}

/** Adds an error unless it is already there. A list that is truncated is full. */
export function addError(errors: ErrorList, error: FieldError): void {
  if (errors.isTruncated || errors.items.some((one) => isSameError(one, error))) return;
  if (errors.items.length < MAX_ERRORS) errors.items.push(error);
  else errors.isTruncated = true;
}

function isSameError(a: FieldError, b: FieldError): boolean {
  return a.path === b.path && a.type === b.type && a.message === b.message;
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

const MAX_SHOWN_CHARACTERS = 60;
const MAX_SHOWN_VALUES = 12;

/** A value as messages show it: scalars as shortened JSON, lists and objects by their kind and size. */
export function formatValue(value: Json): string {
  if (isList(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string" || value.length <= MAX_SHOWN_CHARACTERS) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, MAX_SHOWN_CHARACTERS))}...`;
}

/** Values as messages list them: the first dozen, and the number of the others. */
export function formatValues(values: readonly Json[]): string {
  const first = values.slice(0, MAX_SHOWN_VALUES).map(formatValue).join(", ");
  return values.length > MAX_SHOWN_VALUES ? `${first} and ${values.length - MAX_SHOWN_VALUES} more` : first;
}

/** "1 item", "2 items". */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** The length of a text as the API server counts it: in code points. */
export function countCodePoints(text: string): number {
  if (!HIGH_SURROGATE.test(text)) return text.length;
  let count = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (isPair) count--;
  }
  return count;
}
