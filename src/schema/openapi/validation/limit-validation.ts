import type { Json, JsonObject } from "../../../model/json.ts";
import { findSecondOccurrences } from "../structural/list-types.ts";
import { buildEqualityKey } from "../structural/equality-key.ts";
import { fitsFormat, isInt64, isNearInteger, isRounded } from "../structural/numbers.ts";
import type { StructuralSchema } from "../structural/structural-schema.ts";
import { countCodePoints, formatCount, formatValue } from "../structural/value-text.ts";
import { type ValidationScope, refuseValue, reportError } from "./validation-scope.ts";

/** Adds one match for the text and one for a format. */
export function validateText(schema: StructuralSchema, text: string, scope: ValidationScope): void {
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
  const isLong = (limit: string): string =>
    `The text is ${formatCount(countCodePoints(text), "character")} long, at ${limit}`;
  if (maxLength !== undefined && text.length > maxLength && countCodePoints(text) > maxLength) {
    reportError(scope, "FieldValueTooLong", isLong(`most ${maxLength} are allowed`));
  } else if (minLength !== undefined && (text.length < minLength || countCodePoints(text) < minLength)) {
    refuseValue(scope, isLong(`least ${minLength} are needed`));
  } else if (pattern !== undefined && !pattern.test(text)) {
    refuseValue(scope, `The value ${formatValue(text)} does not match the pattern ${pattern.pattern()}`);
  }
}

export function validateListSize({ limits }: StructuralSchema, list: readonly Json[], scope: ValidationScope): void {
  validateSize(["list", "item"], list.length, limits.minItems, limits.maxItems, scope);
  if (limits.uniqueItems && findSecondOccurrences(list, buildEqualityKey).length > 0)
    refuseValue(scope, "The list holds an item twice, and must not");
}

export function validateMapSize(schema: StructuralSchema, map: JsonObject, size: number, scope: ValidationScope): void {
  const { minProperties, maxProperties } = schema.limits;
  validateSize(["object", "field"], size, minProperties, maxProperties, scope);
  for (const name of schema.required) {
    if (!Object.hasOwn(map, name)) reportError(scope, "FieldValueRequired", "A value is required", name);
  }
}

function validateSize(
  [what, part]: readonly [what: string, part: string],
  size: number,
  least: number | undefined,
  most: number | undefined,
  scope: ValidationScope,
): void {
  const has = (limit: string): string => `The ${what} has ${formatCount(size, part)}, at ${limit}`;
  if (least !== undefined && size < least) refuseValue(scope, has(`least ${least} are needed`));
  if (most !== undefined && size > most) reportError(scope, "FieldValueTooMany", has(`most ${most} are allowed`));
}

/** Adds two matches: one because the validation applies, and one for passing, which is counted even if it fails. */
export function validateNumber(schema: StructuralSchema, value: number, scope: ValidationScope): void {
  scope.errors.matchCount += 2;
  const type = (schema.types.length === 1 ? schema.types[0] : undefined) ?? "";
  if (scope.hasNumberRanges && !fitsFormat(value, type, schema.format)) {
    const format = schema.format === "" ? "" : ` with format ${schema.format}`;
    refuseValue(scope, `The number ${value} must be of type ${type}${format}`);
  }
  validateLimits(schema, type, scope);
  const { multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum } = schema.limits;
  if (multipleOf !== undefined && !isMultiple(value, multipleOf))
    refuseValue(scope, `The number ${value} is no multiple of ${multipleOf}`);
  validateBound(value, maximum, exclusiveMaximum ? "less than" : "at most", scope);
  validateBound(value, minimum, exclusiveMinimum ? "greater than" : "at least", scope);
}

/** As in the API server, a limit that its own type can't hold makes every number invalid. */
function validateLimits({ limits, format }: StructuralSchema, type: string, scope: ValidationScope): void {
  if (!scope.hasNumberRanges) return;
  for (const name of ["multipleOf", "maximum", "minimum"] as const) {
    const limit = limits[name];
    if (limit === undefined || fitsFormat(limit, type, format)) continue;
    refuseValue(scope, `The schema's ${name} of ${limit} is itself no ${type}, so that no number is valid`);
  }
}

function isMultiple(value: number, factor: number): boolean {
  if (!isInt64(value)) return factor > 0 && isNearInteger(factor < 1 ? (1 / factor) * value : value / factor);
  const divisor = Math.trunc(factor);
  return divisor > 0 && (isRounded(value) || value % divisor === 0);
}

type Relation = "less than" | "at most" | "greater than" | "at least";

/** The API server truncates bounds with a fraction if the number is an integer. */
function validateBound(value: number, bound: number | undefined, relation: Relation, scope: ValidationScope): void {
  if (bound === undefined) return;
  const limit = isInt64(value) ? Math.trunc(bound) : bound;
  const sign = relation === "less than" || relation === "at most" ? 1 : -1;
  const isExclusive = relation.endsWith("than");
  if (value * sign < limit * sign || (value === limit && (!isExclusive || isRounded(value)))) return;
  refuseValue(scope, `The number ${value} must be ${relation} ${bound}`);
}
