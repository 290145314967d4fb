import type { JsonNumber } from "../../model/json.ts";
import { type ValidationScope, refuseValue } from "./field-errors.ts";
import type { ValueLimits } from "./schema-props.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const INT64 = 2 ** 63;

/** Does the API server decode this number as an integer? It does so for a JSON number without a fraction that fits 64 bits. */
export function isInt64(value: JsonNumber): boolean {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

/** Go's conversion of a double to an int64 on x86-64, where all that it can't hold becomes the least one. */
export function toInt64(value: number): number {
  return Math.abs(value) < INT64 ? Math.trunc(value) : -INT64;
}

const NEAR = 1e-9;

/** Does the API server accept a number with a fraction as an integer? It does if the fraction is below a billionth of the number. */
export function isNearInteger(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  return whole > 0 && (value - whole) / (value + whole) < NEAR;
}

const INT32 = 2 ** 31;
/** The greatest double whose shortest decimal form, which is what Go parses, is rounded to the greatest float and not beyond it. */
const MAX_FLOAT = 2 ** 128 - 2 ** 103;

/**
 * Can a type and format hold the number? Only integers and floats are bounded. Go parses the shortest decimal form of a double, so that
 * neither 2^63 nor -2^63, as doubles, fit an int64.
 */
export function fitsFormat(value: JsonNumber, type: string, format: string): boolean {
  if (type !== "integer") return type !== "number" || format !== "float" || (value >= -MAX_FLOAT && value <= MAX_FLOAT);
  if (format === "int32") return isInt64(value) && value >= -INT32 && value < INT32;
  return typeof value === "bigint" || (Number.isInteger(value) && value > -INT64 && value < INT64);
}

/** `b` is whole if the other number may be a bigint. */
export function isSameNumber(a: JsonNumber, b: number): boolean {
  return typeof a === "bigint" ? a === BigInt(b) : a === b;
}

/**
 * Adds two matches: one because the validation applies, and one for passing, which is counted even if it fails. As in the API server, a
 * limit that its own type can't hold makes every number invalid.
 */
export function validateNumber(schema: StructuralSchema, value: JsonNumber, scope: ValidationScope): void {
  scope.errors.matchCount += 2;
  if (!fitsSchema(value, schema, scope)) refuseValue(scope, `The number ${value} must be of ${formatType(schema)}`);
  const { multipleOf, maximum, minimum } = schema.limits;
  if (multipleOf !== undefined) validateLimit("multipleOf", multipleOf, schema, value, scope);
  if (maximum !== undefined) validateLimit("maximum", maximum, schema, value, scope);
  if (minimum !== undefined) validateLimit("minimum", minimum, schema, value, scope);
}

function getSingleType({ types }: StructuralSchema): string {
  return (types.length === 1 ? types[0] : undefined) ?? "";
}

function fitsSchema(value: JsonNumber, schema: StructuralSchema, scope: ValidationScope): boolean {
  return !scope.hasNumberRanges || fitsFormat(value, getSingleType(schema), schema.format);
}

function formatType(schema: StructuralSchema): string {
  return `type ${getSingleType(schema)}${schema.format === "" ? "" : ` with format ${schema.format}`}`;
}

type LimitName = "multipleOf" | "maximum" | "minimum";

/** An integer is compared with the limit as an integer: truncated, and changed if it is beyond 64 bits. */
function validateLimit(
  name: LimitName,
  limit: number,
  schema: StructuralSchema,
  value: JsonNumber,
  scope: ValidationScope,
): void {
  if (!fitsSchema(limit, schema, scope)) {
    const read = isLargeInteger(limit) ? `is read as ${limit}, which` : `of ${limit}`;
    return refuseValue(
      scope,
      `The schema's ${name} ${read} does not fit ${formatType(schema)}, so that no number is valid`,
    );
  }
  const bound = isInt64(value) ? toInt64(limit) : limit;
  if (!isWithin(name, schema.limits, value, bound)) {
    const overflow =
      bound === limit || bound === Math.trunc(limit) ? "" : `, which as an integer of 64 bits is ${BigInt(bound)}`;
    refuseValue(scope, `The number ${value} ${formatRelation(name, schema.limits)} ${limit}${overflow}`);
  }
}

/** Limits are doubles there, whatever the schema says. */
function isLargeInteger(limit: number): boolean {
  return Number.isInteger(limit) && !Number.isSafeInteger(limit);
}

function isWithin(name: LimitName, limits: ValueLimits, value: JsonNumber, bound: number): boolean {
  if (name === "multipleOf") return isMultiple(value, bound);
  const isExclusive = name === "maximum" ? limits.exclusiveMaximum : limits.exclusiveMinimum;
  if (isExclusive && isSameNumber(value, bound)) return false;
  return name === "maximum" ? value <= bound : value >= bound;
}

function formatRelation(name: LimitName, { exclusiveMaximum, exclusiveMinimum }: ValueLimits): string {
  if (name === "multipleOf") return "is no multiple of";
  if (name === "maximum") return exclusiveMaximum ? "must be less than" : "must be at most";
  return exclusiveMinimum ? "must be greater than" : "must be at least";
}

function isMultiple(value: JsonNumber, factor: number): boolean {
  if (factor <= 0) return false;
  if (typeof value === "bigint") return value % BigInt(factor) === 0n;
  if (isInt64(value)) return value % factor === 0;
  return isNearInteger(factor < 1 ? (1 / factor) * value : value / factor);
}
