import { RE2JS } from "re2js";
import { formatError } from "../model/errors.ts";

/** A regular expression of Go (RE2). Throws where the text is none. */
export function compilePattern(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const fault = formatError(error);
    if (fault.includes("duplicate capture group name")) return compilePattern(withOwnNames(pattern));
    const plain = fault.includes("`[:]`") ? withPlainBracket(pattern) : pattern;
    if (plain === pattern) throw error;
    return compilePattern(plain);
  }
}

/** For Go the last "[:]" of a pattern is a bracket and a colon of the class that it ends, and begins no named class. */
function withPlainBracket(pattern: string): string {
  const place = pattern.lastIndexOf("[:]");
  if (place < 0 || pattern.includes(":]", place + 2)) return pattern;
  return `${pattern.slice(0, place)}\\${pattern.slice(place)}`;
}

/** Go lets two groups have the same name, which no schema can tell from two. */
function withOwnNames(pattern: string): string {
  let groups = 0;
  return pattern.replaceAll(/\(\?P?<(\w+)>/g, (_, name: string) => `(?P<${name}_${groups++}>`);
}

/** Why a text is no regular expression of Go; undefined where it is one. */
export function patternFault(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return formatError(error);
  }
}
