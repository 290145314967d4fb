/**
 * Everything that a terminal obeys instead of showing it: control characters (C0, DEL and C1) except line breaks, marks that change the
 * direction of writing, and line separators. Lone surrogates count too, since UTF-8 cannot hold them.
 */
const CONTROLS = /(?!\n)[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Writes each control as \uXXXX. JSON stays the same value, since JSON has controls only within its strings. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escapeCharacter);
}

/** The colours and hyperlinks of our own tables (see format/table/painter.ts and hyperlink.ts). A hyperlink opens web pages only. */
const STYLE = /(\u001b\[(?:0|1|2|31|32|33)m|\u001b\]8;;(?:https:\/\/[!-~]{1,2000})?\u001b\\)/;

/** Escapes all controls but those colours and hyperlinks. */
export function escapeAllButStyles(text: string): string {
  const parts = text.split(STYLE);
  return parts.map((part, i) => (i % 2 === 1 ? part : escapeControls(part))).join("");
}

/** One line: no text from outside may begin a line of its own. */
export function toLine(text: string): string {
  return escapeControls(text.replace(/\s*[\r\n]+\s*/g, " ").replaceAll("\t", " "));
}

function escapeCharacter(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
