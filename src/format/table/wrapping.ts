import { countCharacters } from "../characters.ts";
import { toPlainText } from "../plain-text.ts";

/** Narrower than this no text can be read: lines are longer then than what was asked for. */
const MIN_WIDTH = 40;

/**
 * A text in lines of at most `width` columns, the first behind `lead` and the others indented as far.
 * A word longer than a line (a path, an address) is never cut.
 */
export function wrapText(lead: string, text: string, width: number): readonly string[] {
  const room = Math.max(width, MIN_WIDTH);
  const hang = " ".repeat(countCharacters(lead));
  const lines: string[] = [];
  let [line, isEmpty] = [lead, true];
  for (const word of toPlainText(text).split(" ").filter(Boolean)) {
    if (!isEmpty && countCharacters(line) + 1 + countCharacters(word) > room) {
      lines.push(line);
      [line, isEmpty] = [hang, true];
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}
