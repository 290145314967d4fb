import { AssertionError } from "node:assert";
import { EndlessError } from "./switchboard.ts";

/**
 * What the end of a test says of a mutant. `killed`: an assertion failed, or the program threw an error of its own or one of the language
 * (a TypeError). `endless` and `other` say nothing about an assertion, so that they are counted apart.
 */
export type Verdict = "passed" | "killed" | "endless" | "other";

const LANGUAGE = [TypeError, ReferenceError, RangeError, SyntaxError, URIError];

/** `root`: where the program is, as a URL that ends in a slash. */
export function judgeFailure(thrown: unknown, root: string): Exclude<Verdict, "passed"> {
  if (!(thrown instanceof Error)) return "other";
  if (thrown instanceof EndlessError) return "endless";
  if (thrown instanceof AssertionError) return "killed";
  if (thrown instanceof RangeError && thrown.message.startsWith("Maximum call stack")) return "endless";
  const frames = (thrown.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  if (LANGUAGE.some((type) => thrown instanceof type) && !("code" in thrown))
    return frames.some((line) => line.includes(root)) ? "killed" : "other";
  return frames[0]?.includes(`${root}src/`) ? "killed" : "other";
}
