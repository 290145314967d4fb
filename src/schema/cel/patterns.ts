import { RE2JS } from "re2js";
import { type Act, type Fn, type Named, onTexts } from "./fn.ts";
import { costSize, PATTERN, traversal } from "./frame.ts";
import { failure, listOf, NO_OVERLOAD, type Value } from "./value.ts";

/** Compiled patterns that are no constants: so few that they can be kept. */
const MOST_KEPT = 100;
/** A pattern that takes more than this to compile is none that a schema can sensibly hold. */
const LONGEST = 100_000;

function compile(pattern: string): RE2JS | undefined {
  if (pattern.length > LONGEST) return undefined;
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

function withPatterns(): (pattern: string) => RE2JS | undefined {
  const kept = new Map<string, RE2JS | undefined>();
  return (pattern) => {
    if (kept.has(pattern)) return kept.get(pattern);
    if (kept.size >= MOST_KEPT) kept.clear();
    const compiled = compile(pattern);
    kept.set(pattern, compiled);
    return compiled;
  };
}

const ILLEGAL = failure("Illegal regex");

/** A function over a text and a pattern, which is compiled once where it is a constant. */
function matching(act: (regex: RE2JS, text: string, args: readonly Value[]) => Value, most: number): Fn {
  return {
    least: 2,
    most,
    act: using(withPatterns(), act),
    prepare: ({ 1: pattern }) => {
      const regex = typeof pattern === "string" ? compile(pattern) : undefined;
      return regex && using(() => regex, act);
    },
    cost: ([text = null, pattern = null]) => traversal(costSize(text) + 1) * Math.ceil(costSize(pattern) * PATTERN),
  };
}

function using(
  find: (pattern: string) => RE2JS | undefined,
  act: (regex: RE2JS, text: string, args: readonly Value[]) => Value,
): Act {
  return (args) =>
    onTexts((text, pattern) => {
      const regex = find(pattern);
      return regex ? act(regex, text, args) : ILLEGAL;
    })(args);
}

function find(regex: RE2JS, text: string): Value {
  const matcher = regex.matcher(text);
  return matcher.find() ? (matcher.group() ?? "") : "";
}

function findAll(regex: RE2JS, text: string, [, , most = -1n]: readonly Value[]): Value {
  if (typeof most !== "bigint") return NO_OVERLOAD;
  const found: string[] = [];
  const matcher = regex.matcher(text);
  let end = -1;
  while ((most < 0n || BigInt(found.length) < most) && matcher.find()) {
    const isEmpty = matcher.start() === matcher.end();
    // Right after a match Go takes no empty one.
    if (!isEmpty || matcher.start() !== end) found.push(matcher.group() ?? "");
    end = matcher.end();
  }
  return listOf(found);
}

const MATCHES: Fn = matching((regex, text) => regex.test(text), 2);

export const PATTERN_GLOBALS: Named = [["matches", MATCHES]];

export const PATTERN_METHODS: Named = [
  ["matches", MATCHES],
  ["find", matching(find, 2)],
  ["findAll", matching(findAll, 3)],
];
