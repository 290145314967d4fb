import type { RE2JS } from "re2js";
import { formatError } from "../model/errors.ts";
import { compareText } from "../model/json.ts";
import { compilePattern } from "./go-pattern.ts";
import {
  type JsonSchema,
  getFlag,
  hasKeyword,
  getList,
  getNumber,
  rejectSchema,
  joinKeyword,
  getText,
  getTexts,
} from "./json-schema.ts";
import type { AllowedValues, ListLimits, MapLimits, NumberLimits, TextLimits } from "./structural/structural-schema.ts";

/** Compiles each pattern of a schema once. */
export type PatternCache = Map<string, RE2JS>;

function hasAnyKeyword(json: JsonSchema, ...keywords: readonly string[]): boolean {
  return keywords.some((keyword) => hasKeyword(json, keyword));
}

export function buildNumberLimits(json: JsonSchema): NumberLimits | undefined {
  if (!hasAnyKeyword(json, "multipleOf", "maximum", "minimum")) return undefined;
  return {
    multipleOf: getNumber(json, "multipleOf"),
    maximum: getNumber(json, "maximum"),
    exclusiveMaximum: getFlag(json, "exclusiveMaximum"),
    minimum: getNumber(json, "minimum"),
    exclusiveMinimum: getFlag(json, "exclusiveMinimum"),
  };
}

export function buildTextLimits(json: JsonSchema, patterns: PatternCache): TextLimits | undefined {
  if (!hasAnyKeyword(json, "maxLength", "minLength", "pattern")) return undefined;
  return {
    maxLength: getNumber(json, "maxLength"),
    minLength: getNumber(json, "minLength"),
    pattern: getPattern(json, patterns),
  };
}

function getPattern(json: JsonSchema, patterns: PatternCache): RE2JS | undefined {
  const text = getText(json, "pattern");
  if (text === "") return undefined;
  const cached = patterns.get(text);
  if (cached) return cached;
  const compiled = compileOrReject(json, text);
  patterns.set(text, compiled);
  return compiled;
}

function compileOrReject(json: JsonSchema, pattern: string): RE2JS {
  try {
    return compilePattern(pattern);
  } catch (error) {
    return rejectSchema(joinKeyword(json, "pattern"), `is not a valid RE2 regular expression: ${formatError(error)}`);
  }
}

export function buildListLimits(json: JsonSchema): ListLimits | undefined {
  if (!hasAnyKeyword(json, "maxItems", "minItems", "uniqueItems")) return undefined;
  return {
    maxItems: getNumber(json, "maxItems"),
    minItems: getNumber(json, "minItems"),
    uniqueItems: getFlag(json, "uniqueItems"),
  };
}

export function buildMapLimits(json: JsonSchema): MapLimits | undefined {
  if (!hasAnyKeyword(json, "maxProperties", "minProperties", "required")) return undefined;
  return {
    maxProperties: getNumber(json, "maxProperties"),
    minProperties: getNumber(json, "minProperties"),
    required: getTexts(json, "required").toSorted(compareText),
  };
}

export function buildAllowedValues(json: JsonSchema): AllowedValues | undefined {
  const values = getList(json, "enum");
  if (values.length === 0) return undefined;
  return { values, strings: new Set(values.filter((value) => typeof value === "string")) };
}
