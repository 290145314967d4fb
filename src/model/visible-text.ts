import { mapTexts } from "./map-texts.ts";

/**
 * Everything that is not shown as a character of its own, except the line break: control and format characters, lone surrogates, private
 * and unassigned ones (\p{C}); line separators; and what Unicode lets fonts ignore, such as variation selectors and fillers, with the blank
 * of Braille. A terminal obeys some of it, and an assistant reads what a person can't see. Emoji that are joined of several fall apart.
 */
const HIDDEN = /(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Most texts, which need no second look. */
const PLAIN = /^[\n -~]*$/;

/** What pipelines obey in a log: GitHub Actions "::add-mask::" as the first word of a line, and others "##vso[...]" anywhere in it. */
const PIPELINE_COMMAND =
  /(?<!\S):(?=:(?:add-|debug|echo|endgroup|error|group|notice|remove-|save-|set-|stop-|warning))|#(?=#(?:vso|teamcity)?\[)/gi;

/**
 * A text of others with each hidden character written as text, "U+202E", and the first one of each command to a pipeline too. Line breaks
 * stay, tabs become spaces. A text that went through it goes through it unchanged.
 */
export function toVisibleText(text: string): string {
  const plain = PLAIN.test(text) ? text : escapeHidden(text);
  return plain.replace(PIPELINE_COMMAND, formatCodePoint);
}

function escapeHidden(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\t", " ").replace(HIDDEN, formatCodePoint);
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The same on one line: no text from outside may begin a line of its own. */
export function toLine(text: string): string {
  return toVisibleText(text.replace(/[\r\n][ \t\r\n]*/g, " "));
}

/** Whether a text says to a reader all that it says to a program, on one line. */
export function isVisibleLine(text: string): boolean {
  return toLine(text) === text;
}

/** A whole output: its line breaks may be those of CSV, and its commands to a pipeline are its own. */
export function toVisibleOutput(text: string): string {
  return text.split("\r\n").map(escapeHidden).join("\r\n");
}

/** The same plain value with all of its texts visible, those of keys too; the very same one if they are already. */
export function toVisible<T>(value: T): T {
  return mapTexts(value, toVisibleText);
}
