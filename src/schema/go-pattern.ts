import { RE2JS } from "re2js";
import { formatError } from "../model/errors.ts";

/** The CRDs of a release share most of their patterns, and one takes some 30 KiB. Both bounds keep the memory of a runner small. */
const compiled = new Map<string, RE2JS>();
const MOST_COMPILED = 128;
const MOST_CHARACTERS = 40_000;
let characters = 0;

/** Compiles a Go regular expression (RE2). Throws if the text is not one. */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const fresh = compile(pattern);
  if (compiled.size >= MOST_COMPILED || characters > MOST_CHARACTERS) {
    compiled.clear();
    characters = 0;
  }
  compiled.set(pattern, fresh);
  characters += pattern.length;
  return fresh;
}

/** What Go accepts and RE2JS refuses with a fault that begins so: each is tried once, since a fault may also quote such words. */
type Repair = { readonly fault: RegExp; readonly rewrite: (pattern: string) => string };

const REPAIRS: readonly Repair[] = [
  { fault: /^error parsing regexp: duplicate capture group name: /, rewrite: withOwnNames },
  { fault: /`\[:\]`/, rewrite: withPlainBracket },
];

function compile(pattern: string, repairs = REPAIRS): RE2JS {
  try {
    return RE2JS.compile(pattern);
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

/** Bounded for the same reason. */
const faults = new Map<string, string | undefined>();
const MOST_FAULTS = 1_000;
const LONGEST_KEPT = 1_000;

/** Why a text is not a Go regular expression; undefined if it is one. */
export function patternFault(pattern: string): string | undefined {
  if (faults.has(pattern)) return faults.get(pattern);
  const fault = findFault(pattern);
  if (faults.size >= MOST_FAULTS) faults.clear();
  if (pattern.length <= LONGEST_KEPT) faults.set(pattern, fault);
  return fault;
}

function findFault(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return formatError(error);
  }
}
