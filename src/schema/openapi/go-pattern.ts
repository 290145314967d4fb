import { RE2JS } from "re2js";
import { formatError } from "../../model/errors.ts";

type Remembered<T> = ((pattern: string) => T) & { readonly isKnown: (pattern: string) => boolean };

/** Keeps what was found for patterns; both bounds keep the memory of a runner small. */
export function remember<T>(
  find: (pattern: string) => T,
  mostKept: number,
  mostCharacters: number,
  weigh: (pattern: string) => number = (pattern) => pattern.length,
): Remembered<T> {
  const known = new Map<string, { readonly value: T }>();
  let characters = 0;
  const findKnown = (pattern: string): T => {
    const kept = known.get(pattern);
    if (kept) return kept.value;
    const value = find(pattern);
    if (known.size >= mostKept || characters > mostCharacters) {
      known.clear();
      characters = 0;
    }
    known.set(pattern, { value });
    characters += weigh(pattern);
    return value;
  };
  return Object.assign(findKnown, { isKnown: (pattern: string) => known.has(pattern) });
}

/**
 * Compiles a Go regular expression (RE2). Throws if the text is not one. The CRDs of a release share most of their patterns, and one takes
 * some 30 KiB.
 */
export const compilePattern = remember(
  (pattern) => compile(pattern),
  128,
  40_000,
  (pattern) => Math.max(pattern.length, estimateProgramSize(pattern) / 2),
);

/** Go refuses to repeat something more often, before it makes a program of it. */
const MOST_REPEATED = 1_000;
const COUNT = /^\{(\d{1,4})(?:,(\d{0,4}))?\}/;

/** How many steps the program of a pattern has at most, before it is compiled: what is repeated has as many copies. None if it has no program. */
export function estimateProgramSize(pattern: string): number {
  const groups: number[] = [];
  let size = 0;
  let last = 0;
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern.charAt(at);
    const [count, least = "0", most = ""] = sign === "{" ? (COUNT.exec(pattern.slice(at, at + 12)) ?? []) : [];
    if (sign === "(") groups.push(size);
    else if (sign === ")") last = size - (groups.pop() ?? 0) + 2;
    else if (count === undefined) last = 1;
    if (sign === "\\") at++;
    if (sign === "[") at = findClassEnd(pattern, at);
    const from = Number(least);
    const to = Number(most);
    if (Math.max(from, to) > MOST_REPEATED) return 0;
    size += count === undefined ? 1 : to > from ? (last + 1) * to : last * from;
    at += (count?.length ?? 1) - 1;
  }
  return size + 2;
}

/** A class of characters is one step. */
function findClassEnd(pattern: string, start: number): number {
  let at = start + (pattern.charAt(start + 1) === "^" ? 2 : 1);
  // A bracket that comes first is a character.
  for (at++; at < pattern.length && pattern.charAt(at) !== "]"; at++) if (pattern.charAt(at) === "\\") at++;
  return at;
}

/** Why a text is not a Go regular expression; undefined if it is one. */
export const patternFault = remember(findFault, 1_000, 1_000_000);

/** What Go accepts and RE2JS refuses with a fault that begins so: each is tried once, since a fault may also quote such words. */
type Repair = { readonly fault: RegExp; readonly rewrite: (pattern: string) => string };

const REPAIRS: readonly Repair[] = [
  { fault: /^error parsing regexp: duplicate capture group name: /, rewrite: withOwnNames },
  { fault: /`\[:\]`/, rewrite: withPlainBracket },
];

function compile(pattern: string, repairs = REPAIRS): RE2JS {
  try {
    return limitStates(RE2JS.compile(pattern));
  } catch (error) {
    const text = formatError(error);
    const repair = repairs.find(({ fault }) => fault.test(text));
    if (repair === undefined) throw error;
    return compile(
      repair.rewrite(pattern),
      repairs.filter((one) => one !== repair),
    );
  }
}

/** Of the states that a pattern keeps of its searches; RE2JS would keep 8 MiB. */
const STATE_BYTES = 1 << 19;

function limitStates(regex: RE2JS): RE2JS {
  const { dfa } = regex.re2Input;
  dfa.maxMem = dfa.stateBudget = dfa.memBudget = STATE_BYTES;
  return regex;
}

/** Go reads the last "[:]" of a pattern as a bracket and a colon in a character class, not as the start of a named class. */
function withPlainBracket(pattern: string): string {
  const place = pattern.lastIndexOf("[:]");
  if (place < 0 || pattern.includes(":]", place + 2)) return pattern;
  return `${pattern.slice(0, place)}\\${pattern.slice(place)}`;
}

/** Go allows two groups with the same name; a match is the same if they have different names. */
function withOwnNames(pattern: string): string {
  let groups = 0;
  return pattern.replaceAll(/\(\?P?<(\w+)>/g, (_, name: string) => `(?P<${name}_${groups++}>`);
}

function findFault(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return formatError(error);
  }
}
