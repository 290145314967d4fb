import { type Json, type JsonNumber, type JsonObject, isList, isNumber, isObject } from "../../model/json.ts";
import type { ValidationScope, ErrorList } from "./field-errors.ts";
import {
  refuseValue,
  mergeErrors,
  createErrorList,
  formatValue,
  formatValues,
  reportError,
  countCodePoints,
  formatCount,
} from "./field-errors.ts";
import type { LogicalJunctors, StructuralSchema, AllowedValues, SchemaType } from "./structural-schema.ts";
import { getAdditionalSchema } from "./structural-schema.ts";
import type { JsonType } from "./schema-props.ts";
import { buildEqualityKey, findSecondOccurrences } from "./equality.ts";
import { isInt64, isNearInteger, isSameNumber, toInt64, validateNumber } from "./numbers.ts";

/**
 * Validates a value as the API server's schema validation does (kube-openapi's validate package), which also counts matches: one for each
 * kind of validation that applies to the value, and one more if some of them pass.
 */
export function validateValue(schema: StructuralSchema, value: Json, scope: ValidationScope): void {
  validateType(schema, value, scope);
  if (value === null) return validateEnum(schema.enum, value, scope);
  if (schema.junctors) validateJunctors(schema.junctors, value, scope);
  if (typeof value === "string") validateText(schema, value, scope);
  else if (isNumber(value)) validateNumber(schema, value, scope);
  else if (isList(value)) validateList(schema, value, scope);
  else if (isObject(value)) validateMap(schema, value, scope);
  validateEnum(schema.enum, value, scope);
  // Alternatives count twice, enums once, and the value itself once.
  scope.errors.matchCount += 4;
}

function validateChildAt(schema: StructuralSchema, value: Json, step: string | number, scope: ValidationScope): void {
  scope.path.push(step);
  if (scope.validateChild) scope.validateChild(schema, value, step, scope);
  else validateValue(schema, value, scope);
  scope.path.pop();
}

function validateList(schema: StructuralSchema, list: readonly Json[], scope: ValidationScope): void {
  const { items } = schema;
  if (items) for (let i = 0; i < list.length; i++) validateChildAt(items, list[i] ?? null, i, scope);
  validateListSize(schema, list, scope);
  scope.errors.matchCount += 2;
}

function validateMap(schema: StructuralSchema, map: JsonObject, scope: ValidationScope): void {
  const additional = getAdditionalSchema(schema);
  let size = 0;
  for (const key in map) {
    size++;
    const child = schema.properties.get(key) ?? additional;
    const value = map[key];
    if (child === undefined && schema.additionalProperties === false)
      refuseValue(scope, `The field ${JSON.stringify(key)} is not allowed`);
    if (child === undefined || value === undefined) continue;
    validateChildAt(child, value, key, scope);
  }
  validateMapSize(schema, map, size, scope);
  scope.errors.matchCount += 1;
}

function validateJunctors(junctors: LogicalJunctors, value: Json, scope: ValidationScope): void {
  if (junctors.anyOf.length > 0) validateAnyOf(junctors.anyOf, value, scope);
  if (junctors.oneOf.length > 0) validateOneOf(junctors.oneOf, value, scope);
  if (junctors.allOf.length > 0) validateAllOf(junctors.allOf, value, scope);
  if (junctors.not && isValid(tryAlternative(junctors.not, value, scope))) {
    refuseValue(scope, "The value is one that the schema excludes (not)");
  }
}

/** Alternatives are validated as if the value were new, without ratcheting below. */
function tryAlternative(schema: StructuralSchema, value: Json, scope: ValidationScope): ErrorList {
  const errors = createErrorList();
  validateValue(schema, value, { ...scope, errors, validateChild: undefined });
  return errors;
}

function isValid(errors: ErrorList): boolean {
  return errors.items.length === 0;
}

/** Adds the errors of the alternative with the most matches, the first of equals. */
function mergeClosest(scope: ValidationScope, attempts: readonly ErrorList[]): void {
  const closest = attempts.reduce((best, next) => (best.matchCount >= next.matchCount ? best : next));
  mergeErrors(scope.errors, closest);
}

function validateAnyOf(schemas: readonly StructuralSchema[], value: Json, scope: ValidationScope): void {
  const failures: ErrorList[] = [];
  for (const schema of schemas) {
    const errors = tryAlternative(schema, value, scope);
    if (isValid(errors)) return mergeErrors(scope.errors, errors);
    failures.push(errors);
  }
  const many = `${schemas.length} alternatives`;
  refuseValue(scope, `The value fits none of the ${many} of which it must fit one or more (anyOf)`);
  mergeClosest(scope, failures);
}

function validateOneOf(schemas: readonly StructuralSchema[], value: Json, scope: ValidationScope): void {
  const attempts = schemas.map((schema) => tryAlternative(schema, value, scope));
  const matches = attempts.filter(isValid);
  const [first] = matches;
  if (matches.length === 1 && first) return mergeErrors(scope.errors, first);
  const fits = `${matches.length === 0 ? "none" : matches.length} of the ${schemas.length} alternatives`;
  refuseValue(scope, `The value fits ${fits} of which it must fit exactly one (oneOf)`);
  if (matches.length === 0) mergeClosest(scope, attempts);
}

function validateAllOf(schemas: readonly StructuralSchema[], value: Json, scope: ValidationScope): void {
  const attempts = schemas.map((schema) => tryAlternative(schema, value, scope));
  for (const errors of attempts) mergeErrors(scope.errors, errors);
  if (attempts.every(isValid)) return;
  refuseValue(scope, "The value does not fit all of what it must fit together (allOf)");
}

export function getJsonType(value: Json): JsonType | "null" {
  if (value === null) return "null";
  if (isNumber(value)) return isInt64(value) ? "integer" : "number";
  if (typeof value === "object") return isList(value) ? "array" : "object";
  return typeof value === "string" ? "string" : "boolean";
}

/** A type that is required and right adds two matches: one because the validation applies, one because it passes. */
function validateType(schema: StructuralSchema, value: Json, scope: ValidationScope): void {
  const isTyped = schema.types.length > 0 || schema.format !== "";
  if (!isTyped && value !== null) return;
  const passes = hasAllowedType(schema, value);
  if (!passes || isReadDifferently(schema, value)) scope.errors.mayRefuseApply = true;
  if (value !== null) scope.errors.matchCount++;
  if (passes) scope.errors.matchCount++;
  else {
    const type = formatTypeWithArticle(getJsonType(value));
    reportError(scope, "FieldValueTypeInvalid", `The value must be ${formatExpectedTypes(schema)}, and is ${type}`);
  }
}

/** Does server-side apply read a value of an allowed type by another type? It does with integer or string beside a type, and with lists for a format. */
function isReadDifferently({ types, format, applyType }: StructuralSchema, value: Json): boolean {
  return types.length > 1 ? applyType !== "any" : format !== "" && typeof value === "object";
}

function hasAllowedType(schema: StructuralSchema, value: Json): boolean {
  const { types, format } = schema;
  if (value === null) return types.length === 0 || schema.nullable;
  const type = getJsonType(value);
  if (type === "null") return false;
  const numeric = types.includes("number") || types.includes("integer");
  // A non-numeric format replaces the type check for strings. The API server does the same for lists, which no format fits.
  if (format !== "" && !numeric && (type === "string" || type === "array")) return true;
  if (types.includes(type)) return true;
  if (type === "integer") return types.includes("number");
  return typeof value === "number" && types.includes("integer") && isNearInteger(value);
}

function formatExpectedTypes(schema: StructuralSchema): string {
  const types = schema.types.length === 0 ? "a string" : schema.types.map(formatTypeWithArticle).join(" or ");
  return schema.nullable ? `${types} or null` : types;
}

export function formatTypeWithArticle(type: SchemaType | "null"): string {
  if (type === "null") return "null";
  if (type === "unknown") return "of a type that does not exist";
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function validateEnum(allowed: AllowedValues | undefined, value: Json, scope: ValidationScope): void {
  if (allowed === undefined || isAllowed(value, allowed)) return;
  const message = `The value ${formatValue(value)} is not supported; supported: ${formatValues(allowed.values)}`;
  reportError(scope, "FieldValueNotSupported", message);
}

/** Null is never allowed, even if it is listed: the API server does not compare nulls. */
function isAllowed(value: Json, allowed: AllowedValues): boolean {
  if (value === null) return false;
  if (typeof value === "string") return allowed.strings.has(value);
  if (isNumber(value)) return allowed.values.some((one) => isEqualNumber(value, one));
  if (typeof value === "boolean") return allowed.values.includes(value);
  const key = buildEqualityKey(value);
  return allowed.values.some((one) => typeof one === "object" && one !== null && buildEqualityKey(one) === key);
}

/** The API server converts the value to the type of the allowed one: it truncates fractions and turns integers into characters. */
function isEqualNumber(value: JsonNumber, one: Json): boolean {
  if (typeof one === "string") return isInt64(value) && one === toCharacter(Number(value));
  if (!isNumber(one)) return false;
  if (!isInt64(one)) return Number(value) === one;
  return isInt64(value) ? value === one : isSameNumber(one, toInt64(Number(value)));
}

function toCharacter(code: number): string {
  const isOne = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return String.fromCodePoint(isOne ? code : 0xfffd);
}

/** Adds one match for the text and one for a format. */
function validateText(schema: StructuralSchema, text: string, scope: ValidationScope): void {
  validateLengthAndPattern(schema, text, scope);
  scope.errors.matchCount++;
  if (schema.formatValidator === undefined) return;
  scope.errors.matchCount++;
  if (schema.formatValidator(text)) return;
  reportError(scope, "FieldValueTypeInvalid", `The value ${formatValue(text)} is not of the format ${schema.format}`);
}

/** Only the first failure of length and pattern is reported. */
function validateLengthAndPattern({ limits, pattern }: StructuralSchema, text: string, scope: ValidationScope): void {
  const { maxLength, minLength } = limits;
  if (maxLength !== undefined && text.length > maxLength && countCodePoints(text) > maxLength) {
    reportError(scope, "FieldValueTooLong", formatLength(text, `most ${maxLength} are allowed`));
  } else if (minLength !== undefined && (text.length < minLength || countCodePoints(text) < minLength)) {
    refuseValue(scope, formatLength(text, `least ${minLength} are needed`));
  } else if (pattern !== undefined && !pattern.test(text)) {
    refuseValue(scope, `The value ${formatValue(text)} does not match the pattern ${pattern.pattern()}`);
  }
}

function formatLength(text: string, limit: string): string {
  return `The text is ${formatCount(countCodePoints(text), "character")} long, at ${limit}`;
}

function validateListSize({ limits }: StructuralSchema, list: readonly Json[], scope: ValidationScope): void {
  validateSize("list", list.length, limits.minItems, limits.maxItems, scope);
  if (limits.uniqueItems && findSecondOccurrences(list, buildEqualityKey).length > 0)
    refuseValue(scope, "The list holds an item twice, and must not");
}

function validateMapSize(schema: StructuralSchema, map: JsonObject, size: number, scope: ValidationScope): void {
  const { minProperties, maxProperties } = schema.limits;
  validateSize("object", size, minProperties, maxProperties, scope);
  for (const name of schema.required) {
    if (!Object.hasOwn(map, name)) reportError(scope, "FieldValueRequired", "A value is required", name);
  }
}

function validateSize(
  what: "list" | "object",
  size: number,
  least: number | undefined,
  most: number | undefined,
  scope: ValidationScope,
): void {
  if (least !== undefined && size < least) refuseValue(scope, formatSize(what, size, `least ${least} are needed`));
  if (most !== undefined && size > most)
    reportError(scope, "FieldValueTooMany", formatSize(what, size, `most ${most} are allowed`));
}

function formatSize(what: "list" | "object", size: number, limit: string): string {
  return `The ${what} has ${formatCount(size, what === "list" ? "item" : "field")}, at ${limit}`;
}
