import type { RE2JS } from "re2js";
import { compilePattern, patternFault } from "../../openapi/index.ts";

/** A bound on the compiled size of a pattern, beyond any sensible schema. */
const MAX_PATTERN_LENGTH = 100_000;

/** A pattern that matches() can use; undefined if the API server refuses it, or it is too long. */
export function findPattern(pattern: string): RE2JS | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH || patternFault(pattern) !== undefined) return undefined;
  return compilePattern(pattern);
}

/** Why a constant pattern is refused. */
export function formatPatternFault(pattern: string): string {
  return `${JSON.stringify(pattern)} is not a valid regular expression: ${patternFault(pattern) ?? "it is too long"}`;
}
