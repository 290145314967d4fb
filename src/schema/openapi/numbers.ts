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
  const { limits, format, types } = schema;
  const type = (types.length === 1 ? types[0] : undefined) ?? "";
  const typeText = `type ${type}${format === "" ? "" : ` with format ${format}`}`;
  const fits = (number: JsonNumber): boolean => !scope.hasNumberRanges || fitsFormat(number, type, format);
  if (!fits(value)) refuseValue(scope, `The number ${value} must be of ${typeText}`);
  for (const name of NUMBER_LIMITS) {
    const limit = limits[name];
    if (limit === undefined) continue;
    if (fits(limit)) validateLimit(name, limit, limits, value, scope);
    else
      refuseValue(
        scope,
        `The schema's ${name} ${formatRead(limit)} does not fit ${typeText}, so that no number is valid`,
      );
  }
}

const NUMBER_LIMITS = ["multipleOf", "maximum", "minimum"] as const;

/** Limits are doubles there, whatever the schema says. */
function formatRead(limit: number): string {
  return Number.isInteger(limit) && !Number.isSafeInteger(limit) ? `is read as ${limit}, which` : `of ${limit}`;
}

/** An integer is compared with the limit as an integer: truncated, and changed if it is beyond 64 bits. */
function validateLimit(
  name: (typeof NUMBER_LIMITS)[number],
  bound: number,
  limits: ValueLimits,
  value: JsonNumber,
  scope: ValidationScope,
): void {
  const limit = isInt64(value) ? toInt64(bound) : bound;
  const text =
    limit === bound || limit === Math.trunc(bound)
      ? `${bound}`
      : `${bound}, which as an integer of 64 bits is ${BigInt(limit)}`;
  if (name === "multipleOf") {
    if (!isMultiple(value, limit)) refuseValue(scope, `The number ${value} is no multiple of ${text}`);
    return;
  }
  const isExclusive = name === "maximum" ? limits.exclusiveMaximum : limits.exclusiveMinimum;
  const isBeyond = name === "maximum" ? value > limit : value < limit;
  if (!isBeyond && !(isExclusive && isSameNumber(value, limit))) return;
  const relation = RELATIONS[name][isExclusive ? 1 : 0];
  refuseValue(scope, `The number ${value} must be ${relation} ${text}`);
}

const RELATIONS = { maximum: ["at most", "less than"], minimum: ["at least", "greater than"] } as const;

function isMultiple(value: JsonNumber, factor: number): boolean {
  if (factor <= 0) return false;
  if (typeof value === "bigint") return value % BigInt(factor) === 0n;
  if (isInt64(value)) return value % factor === 0;
  return isNearInteger(factor < 1 ? (1 / factor) * value : value / factor);
}
