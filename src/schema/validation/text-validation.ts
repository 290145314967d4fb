import { countCodePoints } from "../structural/code-points.ts";
import type { StructuralSchema, TextLimits } from "../structural/structural-schema.ts";
import { type ValidationScope, reportError } from "./validation-scope.ts";
import { formatCount, formatValue } from "../structural/value-text.ts";

/** Adds one match for the text and one for a format. */
export function validateText(schema: StructuralSchema, text: string, scope: ValidationScope): void {
  if (schema.text) validateTextLimits(schema.text, text, scope);
  scope.errors.matchCount++;
  if (schema.formatValidator === undefined) return;
  scope.errors.matchCount++;
  if (schema.formatValidator(text)) return;
  reportError(scope, "FieldValueTypeInvalid", `The value ${formatValue(text)} is not of the format ${schema.format}`);
}

/** Only the first failure of length and pattern is reported. */
function validateTextLimits(limits: TextLimits, text: string, scope: ValidationScope): void {
  const { maxLength, minLength, pattern } = limits;
  if (maxLength !== undefined && text.length > maxLength && countCodePoints(text) > maxLength) {
    return reportError(
      scope,
      "FieldValueTooLong",
      `The text is ${formatCount(countCodePoints(text), "character")} long, at most ${maxLength} are allowed`,
    );
  }
  if (minLength !== undefined && (text.length < minLength || countCodePoints(text) < minLength)) {
    return reportError(
      scope,
      "FieldValueInvalid",
      `The text is ${formatCount(countCodePoints(text), "character")} long, at least ${minLength} are needed`,
    );
  }
  if (pattern === undefined || pattern.test(text)) return;
  reportError(
    scope,
    "FieldValueInvalid",
    `The value ${formatValue(text)} does not match the pattern ${pattern.pattern()}`,
  );
}
