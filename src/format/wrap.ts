import { characters } from "./characters.ts";
import { plain } from "./plain.ts";

/** Narrower than this no text can be read: lines are longer then than what was asked for. */
const LEAST_WIDTH = 40;

/**
 * A text in lines of at most `width` columns, the first behind `lead` and the others indented as far.
 * A word longer than a line (a path, an address) is never cut.
 */
export function wrap(lead: string, text: string, width: number): readonly string[] {
  const room = Math.max(width, LEAST_WIDTH);
  const hang = " ".repeat(characters(lead));
  const lines: string[] = [];
  let [line, empty] = [lead, true];
  for (const word of plain(text).split(" ").filter(Boolean)) {
    if (!empty && characters(line) + 1 + characters(word) > room) {
      lines.push(line);
      [line, empty] = [hang, true];
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line.trimEnd()];
}
