import { YAMLException, parseEvents } from "js-yaml";
import { MAX_DEPTH } from "./yaml.ts";

/** The reason of a line in brackets or quotes that is not indented. */
export const DEFICIENT_INDENTATION = "deficient indentation";

/** A text whose lines in brackets and quotes are indented. `shifts`: of lines, from 0, how many spaces were put before them. */
export type IndentedText = { readonly text: string; readonly shifts: ReadonlyMap<number, number> };

/** More than any line has before it. */
const INDENT = " ".repeat(1_000);
/** Each line takes another parse. */
const MAX_WORK = 1 << 24;

/**
 * The tools of Kubernetes take a bracket or a quote that closes in the column of its key, and this parser takes it once it is indented,
 * which changes no value. A text with another fault keeps it.
 */
export function indentFlow(text: string): IndentedText {
  const shifts = new Map<number, number>();
  let indented = text;
  // It would not be known again.
  if (text.includes(INDENT)) return { text, shifts };
  for (let work = 0; work < MAX_WORK; work += indented.length) {
    const fault = findDeficient(indented);
    if (fault === undefined || shifts.has(fault.line)) break;
    const start = indented.lastIndexOf("\n", fault.position - 1) + 1;
    indented = indented.slice(0, start) + INDENT + indented.slice(start);
    shifts.set(fault.line, INDENT.length);
  }
  return { text: indented, shifts };
}

/** The text as it was before `indentFlow`, with what was changed in it since. */
export function dedentFlow(text: string): string {
  return text.replaceAll(INDENT, "");
}

function findDeficient(text: string): { readonly line: number; readonly position: number } | undefined {
  try {
    parseEvents(text, { maxDepth: MAX_DEPTH });
    return undefined;
  } catch (thrown) {
    return thrown instanceof YAMLException && thrown.reason === DEFICIENT_INDENTATION ? thrown.mark : undefined;
  }
}
