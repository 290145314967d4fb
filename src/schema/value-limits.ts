import type { RE2JS } from "re2js";
import { formatError } from "../model/errors.ts";
import { compareText } from "../model/json.ts";
import type { SchemaProps } from "./definition/schema-props.ts";
import { compilePattern } from "./go-pattern.ts";
import { rejectSchema } from "./invalid-schema.ts";
import type { AllowedValues, ListLimits, MapLimits, NumberLimits, TextLimits } from "./structural/structural-schema.ts";

/** Compiles each pattern of a schema once. */
export type PatternCache = Map<string, RE2JS>;

export function buildNumberLimits(props: SchemaProps): NumberLimits | undefined {
  const { multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum } = props;
  if (multipleOf === undefined && maximum === undefined && minimum === undefined) return undefined;
  return { multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum };
}

export function buildTextLimits(props: SchemaProps, path: string, patterns: PatternCache): TextLimits | undefined {
  const { maxLength, minLength, pattern } = props;
  if (maxLength === undefined && minLength === undefined && pattern === "") return undefined;
  return { maxLength, minLength, pattern: pattern === "" ? undefined : getPattern(pattern, path, patterns) };
}

function getPattern(pattern: string, path: string, patterns: PatternCache): RE2JS {
  const cached = patterns.get(pattern);
  if (cached) return cached;
  const compiled = compileOrReject(pattern, path);
  patterns.set(pattern, compiled);
  return compiled;
}

function compileOrReject(pattern: string, path: string): RE2JS {
  try {
    return compilePattern(pattern);
  } catch (error) {
    return rejectSchema(`${path}.pattern`, `is not a valid regular expression: ${formatError(error)}`);
  }
}

export function buildListLimits({ maxItems, minItems, uniqueItems }: SchemaProps): ListLimits | undefined {
  if (maxItems === undefined && minItems === undefined && !uniqueItems) return undefined;
  return { maxItems, minItems, uniqueItems };
}

export function buildMapLimits({ maxProperties, minProperties, required }: SchemaProps): MapLimits | undefined {
  if (maxProperties === undefined && minProperties === undefined && required.length === 0) return undefined;
  return { maxProperties, minProperties, required: required.toSorted(compareText) };
}

export function buildAllowedValues({ enum: values }: SchemaProps): AllowedValues | undefined {
  if (values.length === 0) return undefined;
  return { values, strings: new Set(values.filter((value) => typeof value === "string")) };
}
