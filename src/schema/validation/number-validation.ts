import type { StructuralSchema, NumberLimits } from "../structural/structural-schema.ts";
import { fitsFormat, isInt64, isNearInteger, isRounded } from "../structural/numbers.ts";
import { type ValidationScope, reportError } from "./validation-scope.ts";

/** Adds two matches: one because the validation applies, and one for passing, which is counted even if it fails. */
export function validateNumber(schema: StructuralSchema, value: number, scope: ValidationScope): void {
  scope.errors.matchCount += 2;
  const type = (schema.types.length === 1 ? schema.types[0] : undefined) ?? "";
  if (scope.hasNumberRanges && !fitsFormat(value, type, schema.format)) {
    reportError(
      scope,
      "FieldValueInvalid",
      `The number ${value} must be of type ${type}${schema.format === "" ? "" : ` with format ${schema.format}`}`,
    );
  }
  if (schema.number === undefined) return;
  validateLimits(schema.number, type, schema.format, scope);
  validateMultipleOf(schema.number, value, scope);
  validateMaximum(schema.number, value, scope);
  validateMinimum(schema.number, value, scope);
}

/** As in the API server, a limit that its own type can't hold makes every number invalid. */
function validateLimits(limits: NumberLimits, type: string, format: string, scope: ValidationScope): void {
  if (!scope.hasNumberRanges) return;
  for (const [name, limit] of [
    ["multipleOf", limits.multipleOf],
    ["maximum", limits.maximum],
    ["minimum", limits.minimum],
  ] as const) {
    if (limit === undefined || fitsFormat(limit, type, format)) continue;
    reportError(
      scope,
      "FieldValueInvalid",
      `The schema's ${name} of ${limit} is itself no ${type}, so that no number is valid`,
    );
  }
}

function validateMultipleOf(limits: NumberLimits, value: number, scope: ValidationScope): void {
  const factor = limits.multipleOf;
  if (factor === undefined || isMultiple(value, factor)) return;
  reportError(scope, "FieldValueInvalid", `The number ${value} is no multiple of ${factor}`);
}

function isMultiple(value: number, factor: number): boolean {
  if (!isInt64(value)) return factor > 0 && isNearInteger(factor < 1 ? (1 / factor) * value : value / factor);
  const divisor = Math.trunc(factor);
  return divisor > 0 && (isRounded(value) || value % divisor === 0);
}

/** The API server truncates limits with a fraction if the number is an integer. */
function getLimitFor(value: number, limit: number): number {
  return isInt64(value) ? Math.trunc(limit) : limit;
}

function validateMaximum(limits: NumberLimits, value: number, scope: ValidationScope): void {
  if (limits.maximum === undefined) return;
  const [limit, exclusive] = [getLimitFor(value, limits.maximum), limits.exclusiveMaximum];
  if (value < limit || (value === limit && (!exclusive || isRounded(value)))) return;
  reportError(
    scope,
    "FieldValueInvalid",
    `The number ${value} must be ${exclusive ? "less than" : "at most"} ${limits.maximum}`,
  );
}

function validateMinimum(limits: NumberLimits, value: number, scope: ValidationScope): void {
  if (limits.minimum === undefined) return;
  const [limit, exclusive] = [getLimitFor(value, limits.minimum), limits.exclusiveMinimum];
  if (value > limit || (value === limit && (!exclusive || isRounded(value)))) return;
  reportError(
    scope,
    "FieldValueInvalid",
    `The number ${value} must be ${exclusive ? "greater than" : "at least"} ${limits.minimum}`,
  );
}
