import { RE2JS } from "re2js";
import { type FunctionImplementation, type CelFunction, type NamedFunctions, onTexts } from "./function-binding.ts";
import { actualSize, REGEX_LENGTH_COST_FACTOR, getTraversalCost } from "./activation.ts";
import { buildError, buildList, NO_OVERLOAD, type CelValue } from "./values/value.ts";

/** Cache of compiled patterns that are not constants; there are few. */
const MAX_CACHED_PATTERNS = 100;
/** A bound on the compiled size of a pattern, beyond any sensible schema. */
const MAX_PATTERN_LENGTH = 100_000;

function compilePattern(pattern: string): RE2JS | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return undefined;
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

function createPatternCache(): (pattern: string) => RE2JS | undefined {
  const cache = new Map<string, RE2JS | undefined>();
  return (pattern) => {
    if (cache.has(pattern)) return cache.get(pattern);
    if (cache.size >= MAX_CACHED_PATTERNS) cache.clear();
    const compiled = compilePattern(pattern);
    cache.set(pattern, compiled);
    return compiled;
  };
}

const ILLEGAL_REGEX = buildError("Illegal regex");

/** A function of a text and a pattern, which is compiled once if it is constant. */
function definePatternFunction(
  act: (regex: RE2JS, text: string, args: readonly CelValue[]) => CelValue,
  max: number,
): CelFunction {
  return {
    min: 2,
    max,
    call: bindPattern(createPatternCache(), act),
    specialize: ({ 1: pattern }) => {
      const regex = typeof pattern === "string" ? compilePattern(pattern) : undefined;
      return regex && bindPattern(() => regex, act);
    },
    cost: ([text = null, pattern = null]) =>
      getTraversalCost(actualSize(text) + 1) * Math.ceil(actualSize(pattern) * REGEX_LENGTH_COST_FACTOR),
  };
}

function bindPattern(
  find: (pattern: string) => RE2JS | undefined,
  act: (regex: RE2JS, text: string, args: readonly CelValue[]) => CelValue,
): FunctionImplementation {
  return (args) =>
    onTexts((text, pattern) => {
      const regex = find(pattern);
      return regex ? act(regex, text, args) : ILLEGAL_REGEX;
    })(args);
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

const MATCHES: CelFunction = definePatternFunction((regex, text) => regex.test(text), 2);

export const PATTERN_GLOBALS: NamedFunctions = [["matches", MATCHES]];

export const PATTERN_METHODS: NamedFunctions = [
  ["matches", MATCHES],
  ["find", definePatternFunction(findFirst, 2)],
  ["findAll", definePatternFunction(findAll, 3)],
];
