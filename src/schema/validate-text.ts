import { codePoints } from "./code-points.ts";
import type { Node, TextLimits } from "./node.ts";
import { type Scope, fail } from "./scope.ts";
import { counted, shown } from "./words.ts";

/** One check counts for the text, and one for a format. */
export function checkText(node: Node, text: string, scope: Scope): void {
  if (node.text) checkLimits(node.text, text, scope);
  scope.errors.matches++;
  if (node.formatCheck === undefined) return;
  scope.errors.matches++;
  if (node.formatCheck(text)) return;
  fail(scope, "FieldValueTypeInvalid", `The value ${shown(text)} is not of the format ${node.format}`);
}

/** Only the first of length and pattern that fails is told. */
function checkLimits(limits: TextLimits, text: string, scope: Scope): void {
  const { maxLength, minLength, pattern } = limits;
  if (maxLength !== undefined && text.length > maxLength && codePoints(text) > maxLength) {
    return fail(
      scope,
      "FieldValueTooLong",
      `The text is ${counted(codePoints(text), "character")} long, at most ${maxLength} are allowed`,
    );
  }
  if (minLength !== undefined && (text.length < minLength || codePoints(text) < minLength)) {
    return fail(
      scope,
      "FieldValueInvalid",
      `The text is ${counted(codePoints(text), "character")} long, at least ${minLength} are needed`,
    );
  }
  if (pattern === undefined || pattern.test(text)) return;
  fail(scope, "FieldValueInvalid", `The value ${shown(text)} does not match the pattern ${pattern.pattern()}`);
}
