import { type Json, isList } from "../../../model/json.ts";
import type { JsonType } from "../decoding/schema-props.ts";
import { buildEqualityKey } from "../structural/equality-key.ts";
import type { AllowedValues, SchemaType, StructuralSchema } from "../structural/structural-schema.ts";
import { isInt64, isNearInteger } from "../structural/numbers.ts";
import { formatValue, formatValues } from "../structural/value-text.ts";
import { type ValidationScope, reportError } from "./validation-scope.ts";

export function getJsonType(value: Json): JsonType | "null" {
  if (value === null) return "null";
  if (typeof value === "number") return isInt64(value) ? "integer" : "number";
  if (typeof value === "object") return isList(value) ? "array" : "object";
  return typeof value === "string" ? "string" : "boolean";
}

/** A type that is required and right adds two matches: one because the validation applies, one because it passes. */
export function validateType(schema: StructuralSchema, value: Json, scope: ValidationScope): void {
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

export function validateEnum(allowed: AllowedValues | undefined, value: Json, scope: ValidationScope): void {
  if (allowed === undefined || isAllowed(value, allowed)) return;
  const message = `The value ${formatValue(value)} is not supported; supported: ${formatValues(allowed.values)}`;
  reportError(scope, "FieldValueNotSupported", message);
}

/** Null is never allowed, even if it is listed: the API server does not compare nulls. */
function isAllowed(value: Json, allowed: AllowedValues): boolean {
  if (value === null) return false;
  if (typeof value === "string") return allowed.strings.has(value);
  if (typeof value === "number") return allowed.values.some((one) => isEqualNumber(value, one));
  if (typeof value === "boolean") return allowed.values.includes(value);
  const key = buildEqualityKey(value);
  return (
    key === undefined ||
    allowed.values.some((one) => typeof one === "object" && one !== null && buildEqualityKey(one) === key)
  );
}

/** The API server converts the value to the type of the allowed one: it truncates fractions and turns integers into characters. */
function isEqualNumber(value: number, one: Json): boolean {
  if (typeof one === "number") return isInt64(one) ? Math.trunc(value) === one : value === one;
  return typeof one === "string" && isInt64(value) && one === toCharacter(value);
}

function toCharacter(code: number): string {
  const isOne = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return String.fromCodePoint(isOne ? code : 0xfffd);
}
