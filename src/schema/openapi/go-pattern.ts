import { RE2JS } from "re2js";
import { formatError } from "../../model/errors.ts";

/** Keeps what was found for patterns; both bounds keep the memory of a runner small. */
function remember<T>(find: (pattern: string) => T, mostKept: number, mostCharacters: number): (pattern: string) => T {
  const known = new Map<string, { readonly value: T }>();
  let characters = 0;
  return (pattern) => {
    const kept = known.get(pattern);
    if (kept) return kept.value;
    const value = find(pattern);
    if (known.size >= mostKept || characters > mostCharacters) {
      known.clear();
      characters = 0;
    }
    known.set(pattern, { value });
    characters += pattern.length;
    return value;
  };
}

/**
 * Compiles a Go regular expression (RE2). Throws if the text is not one. The CRDs of a release share most of their patterns, and one takes
 * some 30 KiB.
 */
export const compilePattern = remember((pattern) => compile(pattern), 128, 40_000);

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

function findFault(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return formatError(error);
  }
}
