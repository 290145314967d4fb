import type { Node, NumberLimits } from "./node.ts";
import { fitsFormat, isInt64, isNearInteger, isRounded, whole } from "./numbers.ts";
import { type Scope, fail } from "./scope.ts";

/** Two checks count: the concern, and the passing, which is counted whatever comes of it. */
export function checkNumber(node: Node, value: number, scope: Scope): void {
  scope.errors.matches += 2;
  const type = (node.types.length === 1 ? node.types[0] : undefined) ?? "";
  if (scope.ranges && !fitsFormat(value, type, node.format)) {
    fail(
      scope,
      "FieldValueInvalid",
      `The number ${value} must be of type ${type}${node.format === "" ? "" : ` with format ${node.format}`}`,
    );
  }
  if (node.number === undefined) return;
  checkLimitsThemselves(node.number, type, node.format, scope);
  checkMultiple(node.number, value, scope);
  checkMaximum(node.number, value, scope);
  checkMinimum(node.number, value, scope);
}

/** A limit that its own type can't hold makes every number invalid, as the API server sees it. */
function checkLimitsThemselves(limits: NumberLimits, type: string, format: string, scope: Scope): void {
  if (!scope.ranges) return;
  for (const [name, limit] of [
    ["multipleOf", limits.multipleOf],
    ["maximum", limits.maximum],
    ["minimum", limits.minimum],
  ] as const) {
    if (limit === undefined || fitsFormat(limit, type, format)) continue;
    fail(
      scope,
      "FieldValueInvalid",
      `The schema's ${name} of ${limit} is itself no ${type}, so that no number is valid`,
    );
  }
}

function checkMultiple(limits: NumberLimits, value: number, scope: Scope): void {
  const factor = limits.multipleOf;
  if (factor === undefined || isMultiple(value, factor)) return;
  fail(scope, "FieldValueInvalid", `The number ${value} is no multiple of ${factor}`);
}

function isMultiple(value: number, factor: number): boolean {
  if (!isInt64(value)) return factor > 0 && isNearInteger(factor < 1 ? (1 / factor) * value : value / factor);
  const cut = whole(factor);
  return cut > 0 && (isRounded(value) || value % cut === 0);
}

/** Of limits with a fraction the API server cuts that off where the number is an integer. */
function limitFor(value: number, limit: number): number {
  return isInt64(value) ? whole(limit) : limit;
}

function checkMaximum(limits: NumberLimits, value: number, scope: Scope): void {
  if (limits.maximum === undefined) return;
  const [limit, exclusive] = [limitFor(value, limits.maximum), limits.exclusiveMaximum];
  if (value < limit || (value === limit && (!exclusive || isRounded(value)))) return;
  fail(
    scope,
    "FieldValueInvalid",
    `The number ${value} must be ${exclusive ? "less than" : "at most"} ${limits.maximum}`,
  );
}

function checkMinimum(limits: NumberLimits, value: number, scope: Scope): void {
  if (limits.minimum === undefined) return;
  const [limit, exclusive] = [limitFor(value, limits.minimum), limits.exclusiveMinimum];
  if (value > limit || (value === limit && (!exclusive || isRounded(value)))) return;
  fail(
    scope,
    "FieldValueInvalid",
    `The number ${value} must be ${exclusive ? "greater than" : "at least"} ${limits.minimum}`,
  );
}
