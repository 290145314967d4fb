import { RE2JS } from "re2js";
import { errorText } from "../model/errors.ts";
import { byText } from "../model/json.ts";
import { type Source, flagIn, has, listIn, numberIn, refuse, step, textIn, textsIn } from "./keywords.ts";
import type { Enum, ListLimits, MapLimits, NumberLimits, TextLimits } from "./node.ts";

/** Compiles each pattern of a schema once. */
export type Patterns = Map<string, RE2JS>;

function hasAny(source: Source, ...keywords: readonly string[]): boolean {
  return keywords.some((keyword) => has(source, keyword));
}

export function numberLimits(source: Source): NumberLimits | undefined {
  if (!hasAny(source, "multipleOf", "maximum", "minimum")) return undefined;
  return {
    multipleOf: numberIn(source, "multipleOf"),
    maximum: numberIn(source, "maximum"),
    exclusiveMaximum: flagIn(source, "exclusiveMaximum"),
    minimum: numberIn(source, "minimum"),
    exclusiveMinimum: flagIn(source, "exclusiveMinimum"),
  };
}

export function textLimits(source: Source, patterns: Patterns): TextLimits | undefined {
  if (!hasAny(source, "maxLength", "minLength", "pattern")) return undefined;
  return {
    maxLength: numberIn(source, "maxLength"),
    minLength: numberIn(source, "minLength"),
    pattern: patternIn(source, patterns),
  };
}

function patternIn(source: Source, patterns: Patterns): RE2JS | undefined {
  const text = textIn(source, "pattern");
  if (text === "") return undefined;
  const known = patterns.get(text);
  if (known) return known;
  const compiled = compile(source, text);
  patterns.set(text, compiled);
  return compiled;
}

function compile(source: Source, pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return refuse(step(source, "pattern"), `is no regular expression of RE2: ${errorText(error)}`);
  }
}

export function listLimits(source: Source): ListLimits | undefined {
  if (!hasAny(source, "maxItems", "minItems", "uniqueItems")) return undefined;
  return {
    maxItems: numberIn(source, "maxItems"),
    minItems: numberIn(source, "minItems"),
    uniqueItems: flagIn(source, "uniqueItems"),
  };
}

export function mapLimits(source: Source): MapLimits | undefined {
  if (!hasAny(source, "maxProperties", "minProperties", "required")) return undefined;
  return {
    maxProperties: numberIn(source, "maxProperties"),
    minProperties: numberIn(source, "minProperties"),
    required: textsIn(source, "required").toSorted(byText),
  };
}

export function enumOf(source: Source): Enum | undefined {
  const values = listIn(source, "enum");
  if (values.length === 0) return undefined;
  return { values, texts: new Set(values.filter((value) => typeof value === "string")) };
}
