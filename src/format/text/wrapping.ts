import { countCharacters } from "../../model/characters.ts";
import { toLine } from "../../model/visible-text.ts";

/** Narrower text is unreadable, so lines are never shorter than this, whatever width is requested. */
export const MIN_WIDTH = 40;

/**
 * Wraps a text to `width` columns: the first line begins with `lead`, the others with `indent`, which by default is as wide.
 * A word longer than a line (a path, a URL) is never cut.
 */
export function wrapText(lead: string, text: string, width: number, indent?: string): readonly string[] {
  const room = Math.max(width, MIN_WIDTH);
  const start = toLine(lead);
  const hang = indent ?? " ".repeat(countCharacters(start));
  const lines: string[] = [];
  let line = start;
  let isEmpty = true;
  for (const word of toLine(text).split(" ").filter(Boolean)) {
    if (!isEmpty && countCharacters(line) + 1 + countCharacters(word) > room) {
      lines.push(line);
      [line, isEmpty] = [hang, true];
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}
