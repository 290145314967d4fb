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

/** Deeper than any result. What a file of others nests below would take the stack of whoever reads or writes it. */
const MAX_DEPTH = 100;

/** The same plain value with all of its texts changed, those of keys too; the very same one if none changes. */
export function mapTexts<T>(value: T, change: (text: string) => string): T;
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  return mapAt(value, change, 0);
}

function mapAt(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return mapList(value, change, depth);
  return isPlainObject(value) ? mapObject(value, change, depth) : value;
}

/** Most values have nothing to change, and large ones are not copied for it. */
function mapList(value: readonly unknown[], change: (text: string) => string, depth: number): readonly unknown[] {
  const changed = value.map((one) => mapAt(one, change, depth + 1));
  return changed.every((one, i) => one === value[i]) ? value : changed;
}

function mapObject(value: object, change: (text: string) => string, depth: number): object {
  const entries = Object.entries(value);
  const changed = entries.map(([key, one]) => [change(key), mapAt(one, change, depth + 1)] as const);
  const isSame = changed.every(([key, one], i) => key === entries[i]?.[0] && one === entries[i]?.[1]);
  return isSame ? value : Object.fromEntries(changed);
}

/** A time, a set or an error is none. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * A value as JSON text: two spaces of indentation, a line break at the end. Texts are made visible in the value itself, since a parser
 * turns what JSON escapes back.
 */
export function formatJsonText(value: object): string {
  return `${JSON.stringify(toVisible(value), undefined, 2)}\n`;
}
