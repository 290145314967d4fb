import { parsePlainScalar } from "../yaml-scalars.ts";
import { joinFolded } from "./block-scalar.ts";
import {
  CODES,
  type Cursor,
  findLineEnd,
  giveUp,
  isComment,
  isLineEnd,
  isSpaceOrEnd,
  moveToContent,
  skipSpaces,
} from "./cursor.ts";

const INDICATORS = new Set([..."-?:,[]{}#&*!|>'\"%@`"].map((character) => character.charCodeAt(0)));

/** Parses a plain scalar in a block collection. Its further lines are indented more than `parentColumn`. */
export function parsePlainText(cursor: Cursor, parentColumn: number): null | boolean | number | string {
  const { text, position } = cursor;
  if (INDICATORS.has(text.charCodeAt(position)) && !beginsPlain(text, position)) giveUp();
  const end = findPlainEnd(text, position);
  const first = text.slice(position, trimEnd(text, position, end));
  const lineEnd = findLineEnd(text, end);
  if (lineEnd > end || lineEnd === text.length) {
    moveToContent(cursor, Math.min(lineEnd + 1, text.length));
    return resolve(first);
  }
  const lines = [first];
  moveToContent(cursor, readContinuations(text, lineEnd + 1, parentColumn, lines));
  return lines.length === 1 ? resolve(first) : joinFolded(lines);
}

/** A dash that no space follows may begin a plain scalar: a negative number or an option of a command. */
function beginsPlain(text: string, position: number): boolean {
  return text.charCodeAt(position) === CODES.dash && !isSpaceOrEnd(text, position + 1);
}

function resolve(text: string): null | boolean | number | string {
  const value = parsePlainScalar(text);
  if (typeof value === "number" && !Number.isFinite(value)) giveUp();
  return value;
}

/** Where the plain text of a line ends: at the line's end or at a comment. */
function findPlainEnd(text: string, start: number): number {
  for (let i = start; ; i += 1) {
    const code = text.charCodeAt(i);
    if (code > CODES.colon) continue;
    if (code === CODES.newline || i >= text.length) return i;
    if (code === CODES.colon && isSpaceOrEnd(text, i + 1)) giveUp();
    if (code === CODES.hash && isComment(text, i)) return i;
    if (code === CODES.tab) giveUp();
  }
}

function trimEnd(text: string, start: number, end: number): number {
  let trimmed = end;
  while (trimmed > start && text.charCodeAt(trimmed - 1) === CODES.space) trimmed -= 1;
  return trimmed;
}

/** Adds the further lines of a plain scalar to the first one; returns the start of the line after them. */
function readContinuations(text: string, start: number, parentColumn: number, lines: string[]): number {
  let [lineStart, blank] = [start, 0];
  for (;;) {
    const position = skipSpaces(text, lineStart);
    if (text.charCodeAt(position) === CODES.newline) {
      blank += 1;
      lineStart = position + 1;
      continue;
    }
    if (position - lineStart <= parentColumn || position >= text.length) return lineStart;
    const code = text.charCodeAt(position);
    if (code === CODES.tab) giveUp();
    if (code === CODES.hash) return lineStart;
    const end = findPlainEnd(text, position);
    if (!isLineEnd(text, end)) giveUp();
    while (blank > 0) {
      lines.push("");
      blank -= 1;
    }
    lines.push(text.slice(position, trimEnd(text, position, end)));
    lineStart = Math.min(end + 1, text.length);
  }
}

/** Parses a quoted scalar and moves behind its closing quote. Its further lines are indented more than `parentColumn`. */
export function parseQuotedText(cursor: Cursor, parentColumn: number): string {
  const { text, position } = cursor;
  return text.charCodeAt(position) === CODES.doubleQuote
    ? parseDoubleQuoted(cursor, parentColumn)
    : parseSingleQuoted(cursor, parentColumn);
}

function parseSingleQuoted(cursor: Cursor, parentColumn: number): string {
  const { text } = cursor;
  const start = cursor.position + 1;
  let [end, hasQuotes] = [text.indexOf("'", start), false];
  while (text.charCodeAt(end + 1) === CODES.singleQuote && end >= 0) {
    hasQuotes = true;
    end = text.indexOf("'", end + 2);
  }
  if (end < 0) giveUp();
  cursor.position = end + 1;
  const raw = foldQuoted(text.slice(start, end), parentColumn);
  return hasQuotes ? raw.replaceAll("''", "'") : raw;
}

function parseDoubleQuoted(cursor: Cursor, parentColumn: number): string {
  const { text } = cursor;
  const start = cursor.position + 1;
  let [end, hasEscapes] = [start, false];
  for (; ; end += 1) {
    const code = text.charCodeAt(end);
    if (code === CODES.doubleQuote) break;
    if (end >= text.length) giveUp();
    if (code !== CODES.backslash) continue;
    hasEscapes = true;
    end += 1;
  }
  cursor.position = end + 1;
  const raw = text.slice(start, end);
  if (!hasEscapes) return foldQuoted(raw, parentColumn);
  // An escaped line feed, or an escaped space at a line's end.
  if (/\\ *\n/.test(raw)) giveUp();
  return foldQuoted(raw, parentColumn).replaceAll(ESCAPE, unescape);
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|.)/gs;
const ESCAPED: Readonly<Record<string, string>> = {
  "\\n": "\n",
  "\\t": "\t",
  "\\r": "\r",
  '\\"': '"',
  "\\\\": "\\",
  "\\/": "/",
  "\\ ": " ",
};

function unescape(escape: string, hex: string | undefined): string {
  return ESCAPED[escape] ?? (hex === undefined ? giveUp() : String.fromCharCode(parseInt(hex, 16)));
}

function foldQuoted(raw: string, parentColumn: number): string {
  if (!raw.includes("\n")) return raw;
  const lines = raw.split("\n");
  const last = lines.length - 1;
  return joinFolded(
    lines.map((line, i) => {
      const start = i === 0 ? 0 : skipSpaces(line, 0);
      const end = i === last ? line.length : trimEnd(line, start, line.length);
      if (i > 0 && start <= parentColumn && start < line.length) giveUp();
      if (line.includes("\t") || (end <= start && (i === 0 || i === last))) giveUp();
      return line.slice(start, end);
    }),
  );
}
