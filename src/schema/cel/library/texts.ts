import { actualSize, getTraversalCost, PATTERN } from "../runtime/activation.ts";
import {
  charAt,
  indexOf,
  lastIndexOf,
  replace,
  split,
  substring,
  trim,
  findText,
  findPattern,
  formatPatternFault,
} from "../values/text.ts";
import { getListValues } from "../values/unstructured.ts";
import { type CelValue, buildError, NO_OVERLOAD, isList, buildList, isKind, unwrapOptional } from "../values/value.ts";
import type { FunctionImplementation, FunctionRow } from "../runtime/environment.ts";
import {
  READS_ONCE,
  onText,
  onTexts,
  traverseOnce,
  traverseTwice,
  buildApiServerLibrary,
} from "../runtime/environment.ts";
import { traverseAll } from "./collections.ts";
import { formatString, quote } from "../values/text-formatting.ts";
import type { RE2JS } from "re2js";

function join(args: readonly CelValue[]): CelValue {
  const [list = null, by = ""] = args;
  if (!isList(list) || typeof by !== "string") return NO_OVERLOAD;
  const values = getListValues(list);
  const parts = values.filter((part) => typeof part === "string");
  return parts.length === values.length ? parts.join(by) : buildError("join: invalid input");
}

/** With an optional place to start from. */
function onPart(act: (text: string, part: string, from: bigint | undefined) => CelValue): FunctionImplementation {
  return ([text, part, from]) => {
    if (typeof text !== "string" || typeof part !== "string") return NO_OVERLOAD;
    return from === undefined || typeof from === "bigint" ? act(text, part, from) : NO_OVERLOAD;
  };
}

function callSubstring([a, start, end]: readonly CelValue[]): CelValue {
  if (typeof a !== "string" || typeof start !== "bigint") return NO_OVERLOAD;
  return end === undefined || typeof end === "bigint" ? substring(a, start, end) : NO_OVERLOAD;
}

function callReplace([a, old, by, most = -1n]: readonly CelValue[]): CelValue {
  if (typeof a !== "string" || typeof old !== "string" || typeof by !== "string") return NO_OVERLOAD;
  return typeof most === "bigint" ? replace(a, old, by, most) : NO_OVERLOAD;
}

/** Charges far more than any rule may cost if the result would be enormous. */
function getReplaceCost([a = null, , by = null]: readonly CelValue[]): number {
  const enormous = actualSize(a) * actualSize(by) > 100_000_000 ? Infinity : 0;
  return getTraversalCost(actualSize(a) * 2) + enormous;
}

const TEST = "string.(string) bool";
const SEARCH = { types: "string.(string) int | string.(string, int) int", cost: traverseAll };
const CHANGE = { types: "string.() string", ...READS_ONCE };
const AFFIX = { types: TEST, cost: traverseOnce };

/** The language's own tests, and cel-go's library of strings. */
export const TEXTS = buildApiServerLibrary("rules", {
  contains: {
    types: TEST,
    call: onTexts((a, b) => findText(a, b) >= 0),
    cost: ([a = null, b = null]) => getTraversalCost(actualSize(a)) * getTraversalCost(actualSize(b)),
  },
  startsWith: { ...AFFIX, call: onTexts((a, b) => a.startsWith(b)) },
  endsWith: { ...AFFIX, call: onTexts((a, b) => a.endsWith(b)) },
  charAt: {
    types: "string.(int) string",
    call: ([a, i]) => (typeof a === "string" && typeof i === "bigint" ? charAt(a, i) : NO_OVERLOAD),
  },
  indexOf: { ...SEARCH, call: onPart((text, part, from = 0n) => indexOf(text, part, from)) },
  lastIndexOf: { ...SEARCH, call: onPart(lastIndexOf) },
  lowerAscii: { ...CHANGE, call: onText((text) => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())) },
  upperAscii: { ...CHANGE, call: onText((text) => text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase())) },
  trim: { ...CHANGE, call: onText(trim) },
  substring: { ...CHANGE, types: "string.(int) string | string.(int, int) string", call: callSubstring },
  replace: {
    types: "string.(string, string) string | string.(string, string, int) string",
    call: callReplace,
    costBefore: getReplaceCost,
  },
  split: {
    types: "string.(string) list(string) | string.(string, int) list(string)",
    call: onPart((text, by, most = -1n) => split(text, by, most)),
    cost: traverseTwice,
  },
  join: {
    types: "list(string).() string | list(string).(string) string",
    call: join,
    cost: (_, result) => getTraversalCost(actualSize(result) * 2),
  },
  format: {
    types: "string.(list(dyn)) string since formatting",
    call: ([a, b = null]) => (typeof a === "string" && isList(b) ? formatString(a, getListValues(b)) : NO_OVERLOAD),
    cost: traverseOnce,
  },
  "strings.quote": { types: "(string) string since formatting", call: onText(quote), cost: traverseOnce },
});

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
