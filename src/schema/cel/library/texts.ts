import type { FunctionImplementation, FunctionRow } from "../runtime/environment.ts";
import {
  PATTERN,
  READS_ONCE,
  actualSize,
  buildApiServerLibrary,
  getTraversalCost,
  onText,
  onTexts,
  traverseOnce,
  traverseTwice,
} from "../runtime/environment.ts";
import {
  charAt,
  countParts,
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
import { type Meter, BYTES, countMemory, countWork } from "../values/meter.ts";
import { traverseAll } from "./collections.ts";
import { formatString, quote } from "../values/text-formatting.ts";
import { compilePattern, estimateProgramSize, measurePattern } from "../../openapi/index.ts";
import type { RE2JS } from "re2js";

function join([list = null, by = ""]: readonly CelValue[], meter: Meter): CelValue {
  if (!isList(list) || typeof by !== "string") return NO_OVERLOAD;
  const values = getListValues(list);
  const parts = values.filter((part) => typeof part === "string");
  if (parts.length < values.length) return buildError("join: invalid input");
  countMemory(
    meter,
    parts.reduce((sum, part) => sum + part.length + by.length, BYTES.item * parts.length),
  );
  return parts.join(by);
}

/** With an optional place to start from. */
function onPart(
  act: (text: string, part: string, from: bigint | undefined, meter: Meter) => CelValue,
): FunctionImplementation {
  return ([text, part, from], meter) => {
    if (typeof text !== "string" || typeof part !== "string") return NO_OVERLOAD;
    return from === undefined || typeof from === "bigint" ? act(text, part, from, meter) : NO_OVERLOAD;
  };
}

function callSubstring([a, start, end]: readonly CelValue[]): CelValue {
  if (typeof a !== "string" || typeof start !== "bigint") return NO_OVERLOAD;
  return end === undefined || typeof end === "bigint" ? substring(a, start, end) : NO_OVERLOAD;
}

function callReplace([a, old, by, most = -1n]: readonly CelValue[], meter: Meter): CelValue {
  if (typeof a !== "string" || typeof old !== "string" || typeof by !== "string") return NO_OVERLOAD;
  if (typeof most !== "bigint") return NO_OVERLOAD;
  const count = countParts(a, old, most);
  countMemory(meter, a.length + count * (PART_BYTES + by.length));
  return replace(a, old, by, most);
}

/** Of a text that is a part of another. */
const PART_BYTES = 40;

function callSplit(text: string, by: string, most = -1n, meter: Meter): CelValue {
  countMemory(meter, PART_BYTES * countParts(text, by, most));
  return split(text, by, most);
}

/** A text of about the same length. Its parts are texts for a while. */
function makeText(change: (text: string) => string): FunctionImplementation {
  return onText((text, meter) => {
    countMemory(meter, 2 * text.length);
    countWork(meter, text.length * CHANGE_WORK);
    return change(text);
  });
}

/** Of a character that may be a part of its own. */
const CHANGE_WORK = 0.5;

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
  lowerAscii: { ...CHANGE, call: makeText((text) => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase())) },
  upperAscii: { ...CHANGE, call: makeText((text) => text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase())) },
  trim: { ...CHANGE, call: onText(trim) },
  substring: { ...CHANGE, types: "string.(int) string | string.(int, int) string", call: callSubstring },
  replace: {
    types: "string.(string, string) string | string.(string, string, int) string",
    call: callReplace,
    costBefore: getReplaceCost,
  },
  split: {
    types: "string.(string) list(string) | string.(string, int) list(string)",
    call: onPart(callSplit),
    cost: traverseTwice,
  },
  join: {
    types: "list(string).() string | list(string).(string) string",
    call: join,
    cost: (_, result) => getTraversalCost(actualSize(result) * 2),
  },
  format: {
    types: "string.(list(dyn)) string since formatting",
    call: ([a, b = null], meter) =>
      typeof a === "string" && isList(b) ? formatString(a, getListValues(b), meter) : NO_OVERLOAD,
    cost: traverseOnce,
  },
  "strings.quote": { types: "(string) string since formatting", call: makeText(quote), cost: traverseOnce },
});

const ILLEGAL_REGEX = buildError("Illegal regex");

type Match = (regex: RE2JS, text: string, args: readonly CelValue[], meter: Meter) => CelValue;

/** A function of a text and a pattern, which is compiled once if it is constant. `findsPlace`: it says where it matches. */
export function definePatternFunction(act: Match, findsPlace = true): Omit<FunctionRow, "types"> {
  return {
    call: bindPattern(compileAgain, act, findsPlace),
    specialize: ({ 1: pattern }) => {
      if (typeof pattern !== "string") return undefined;
      const regex = findPattern(pattern);
      if (regex === undefined) return formatPatternFault(pattern);
      // Large ones would stay as long as the expression.
      const find = regex.programSize() > MOST_KEPT_STEPS ? compileAgain : (): RE2JS => regex;
      const bound = bindPattern(find, act, findsPlace);
      return (args, meter) => bound(withPlainText(args), meter);
    },
    // A pattern that costs too much is not even tried: it may take minutes.
    costBefore: ([text = null, pattern = null]) =>
      getTraversalCost(actualSize(text) + 1) * Math.ceil(actualSize(pattern) * PATTERN),
  };
}

const MOST_KEPT_STEPS = 500;

type FindPattern = (pattern: string, meter: Meter) => RE2JS | undefined;

/** Unless it is still at hand. An expression may make another one for each item. */
function compileAgain(pattern: string, meter: Meter): RE2JS | undefined {
  if (!compilePattern.isKnown(pattern)) countWork(meter, estimateProgramSize(pattern) * COMPILE_WORK);
  return findPattern(pattern);
}

const COMPILE_WORK = 50;

function bindPattern(find: FindPattern, act: Match, findsPlace: boolean): FunctionImplementation {
  return (args, meter) =>
    onTexts((text, pattern) => {
      const regex = find(pattern, meter);
      if (regex === undefined) return ILLEGAL_REGEX;
      countSearch(pattern, text.length, findsPlace, meter);
      return act(regex, text, args, meter);
    })(args, meter);
}

/** RE2 reads a text once, and at each character follows as many steps of the pattern as it has to. */
function countSearch(pattern: string, length: number, findsPlace: boolean, meter: Meter): void {
  if (length * pattern.length < SHORT_SEARCH) return;
  const { steps, threads, hasFewStates } = measurePattern(pattern);
  const followed = findsPlace ? threads : hasFewStates ? 1 : steps;
  countWork(meter, length * followed * THREAD_WORK);
}

/** What the API server's costs cover anyway. */
const SHORT_SEARCH = 500;
const THREAD_WORK = 0.3;

/** With a constant pattern, the API server reads the text within an optional value, and the name of a type. */
function withPlainText([value = null, ...rest]: readonly CelValue[]): readonly CelValue[] {
  const inner = unwrapOptional(value);
  return [inner !== undefined && isKind(inner, "type") ? inner.name : (inner ?? null), ...rest];
}

function findFirst(regex: RE2JS, text: string): CelValue {
  const matcher = regex.matcher(text);
  return matcher.find() ? (matcher.group() ?? "") : "";
}

/** A search may look at the rest of the text before it knows where the match ends. */
const SEARCH_WORK = 1;

function findAll(regex: RE2JS, text: string, [, , max = -1n]: readonly CelValue[], meter: Meter): CelValue {
  if (typeof max !== "bigint") return NO_OVERLOAD;
  const matches: string[] = [];
  const matcher = regex.matcher(text);
  let end = -1;
  while ((max < 0n || BigInt(matches.length) < max) && matcher.find()) {
    countMemory(meter, PART_BYTES);
    countWork(meter, 3 + (text.length - matcher.start()) * SEARCH_WORK);
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
    ...definePatternFunction((regex, text) => regex.test(text), false),
  },
  find: { types: "string.(string) string", ...definePatternFunction(findFirst) },
  findAll: {
    types: "string.(string) list(string) | string.(string, int) list(string)",
    ...definePatternFunction(findAll),
  },
});
