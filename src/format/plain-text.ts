/**
 * Characters that a terminal would interpret instead of display: control characters, bidirectional marks, line separators.
 * Lone surrogates are included, since UTF-8 can't encode them.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** Makes a text safe for a terminal: line breaks and tabs become spaces, other unprintable characters are escaped (\x1b). */
export function toPlainText(text: string): string {
  return text.replace(/[\t\n\r]+/g, " ").replace(UNPRINTABLE, escapeCharacter);
}

/** Makes a text safe for the document, where line breaks stay. */
export function toPlainLines(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\t/g, " ").split("\n").map(toPlainText).join("\n");
}
