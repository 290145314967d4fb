import type { RE2JS } from "re2js";
import { PATTERN, actualSize, getTraversalCost } from "../values/size.ts";
import { findPattern, formatPatternFault } from "../values/pattern.ts";
import { buildError, buildList, NO_OVERLOAD, type CelValue, isKind, unwrapOptional } from "../values/value.ts";
import { onTexts } from "./function-binding.ts";
import { type FunctionImplementation, type FunctionRow, buildApiServerLibrary } from "../runtime/function-table.ts";

const ILLEGAL_REGEX = buildError("Illegal regex");

type Match = (regex: RE2JS, text: string, args: readonly CelValue[]) => CelValue;

/** A function of a text and a pattern, which is compiled once if it is constant. */
export function definePatternFunction(act: Match): Omit<FunctionRow, "types"> {
  return {
    call: bindPattern(findPattern, act),
    specialize: ({ 1: pattern }) => {
      if (typeof pattern !== "string") return undefined;
      const regex = findPattern(pattern);
      return regex ? (args) => bindPattern(() => regex, act)(withPlainText(args)) : formatPatternFault(pattern);
    },
    // A pattern that costs too much is not even tried: it may take minutes.
    costBefore: ([text = null, pattern = null]) =>
      getTraversalCost(actualSize(text) + 1) * Math.ceil(actualSize(pattern) * PATTERN),
  };
}

function bindPattern(find: (pattern: string) => RE2JS | undefined, act: Match): FunctionImplementation {
  return (args) =>
    onTexts((text, pattern) => {
      const regex = find(pattern);
      return regex ? act(regex, text, args) : ILLEGAL_REGEX;
    })(args);
}

/** With a constant pattern, the API server reads the text within an optional value, and the name of a type. */
function withPlainText([value = null, ...rest]: readonly CelValue[]): readonly CelValue[] {
  const inner = unwrapOptional(value);
  return [inner !== undefined && isKind(inner, "type") ? inner.name : (inner ?? null), ...rest];
}

function findFirst(regex: RE2JS, text: string): CelValue {
  const matcher = regex.matcher(text);
  return matcher.find() ? (matcher.group() ?? "") : "";
}

function findAll(regex: RE2JS, text: string, [, , max = -1n]: readonly CelValue[]): CelValue {
  if (typeof max !== "bigint") return NO_OVERLOAD;
  const matches: string[] = [];
  const matcher = regex.matcher(text);
  let end = -1;
  while ((max < 0n || BigInt(matches.length) < max) && matcher.find()) {
    const isEmpty = matcher.start() === matcher.end();
    // Go accepts no empty match right after a match.
    if (!isEmpty || matcher.start() !== end) matches.push(matcher.group() ?? "");
    end = matcher.end();
  }
  return buildList(matches);
}

/** `matches` is the language's own; the API server adds the others. */
export const PATTERNS = buildApiServerLibrary("rules", {
  matches: {
    types: "(string, string) bool | string.(string) bool",
    ...definePatternFunction((regex, text) => regex.test(text)),
  },
  find: { types: "string.(string) string", ...definePatternFunction(findFirst) },
  findAll: {
    types: "string.(string) list(string) | string.(string, int) list(string)",
    ...definePatternFunction(findAll),
  },
});
