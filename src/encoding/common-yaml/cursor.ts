/** Thrown at anything that this parser leaves to the full one. */
export class UncommonYamlError extends Error {}

export function giveUp(): never {
  throw new UncommonYamlError();
}

import type { Scope } from "./scope.ts";

/** A place in a text. `column` is where the content of its line begins, or BEYOND_DOCUMENT. */
export type Cursor = { readonly text: string; position: number; column: number; scope: Scope };

export const BEYOND_DOCUMENT = -1;

export const CODES = {
  tab: 0x09,
  newline: 0x0a,
  space: 0x20,
  doubleQuote: 0x22,
  hash: 0x23,
  percent: 0x25,
  singleQuote: 0x27,
  plus: 0x2b,
  comma: 0x2c,
  dash: 0x2d,
  dot: 0x2e,
  colon: 0x3a,
  question: 0x3f,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  pipe: 0x7c,
  closeBrace: 0x7d,
} as const;

/** Where the line of a position ends: at its line feed, or at the end of the text. */
export function findLineEnd(text: string, position: number): number {
  const end = text.indexOf("\n", position);
  return end < 0 ? text.length : end;
}

export function skipSpaces(text: string, position: number): number {
  let end = position;
  while (text.charCodeAt(end) === CODES.space) end += 1;
  return end;
}

/** Whether nothing but a line feed or the end of the text is at a position. */
export function isLineEnd(text: string, position: number): boolean {
  return position >= text.length || text.charCodeAt(position) === CODES.newline;
}

/** Whether an indicator before this position stands alone. */
export function isSpaceOrEnd(text: string, position: number): boolean {
  return text.charCodeAt(position) === CODES.space || isLineEnd(text, position);
}

/** Moves from the start of a line to the next content, past blank lines and comments. */
export function moveToContent(cursor: Cursor, lineStart: number): void {
  const { text } = cursor;
  let start = lineStart;
  for (;;) {
    const position = skipSpaces(text, start);
    const code = text.charCodeAt(position);
    if (code === CODES.newline) start = position + 1;
    else if (code === CODES.hash) start = Math.min(findLineEnd(text, position) + 1, text.length);
    else {
      cursor.position = position;
      cursor.column = position < text.length && !isMarker(text, position, start) ? position - start : BEYOND_DOCUMENT;
      return;
    }
  }
}

function isMarker(text: string, position: number, lineStart: number): boolean {
  const code = text.charCodeAt(position);
  if (code === CODES.tab) giveUp();
  if (position > lineStart) return false;
  if (code === CODES.percent || code === CODES.dot) giveUp();
  return code === CODES.dash && text.startsWith("---", position);
}

/** Moves past the rest of a line, which may only be a comment, to the next content. */
export function finishLine(cursor: Cursor): void {
  const { text } = cursor;
  const position = skipSpaces(text, cursor.position);
  if (!isLineEnd(text, position) && !isComment(text, position)) giveUp();
  moveToContent(cursor, Math.min(findLineEnd(text, position) + 1, text.length));
}

export function isComment(text: string, position: number): boolean {
  return text.charCodeAt(position) === CODES.hash && text.charCodeAt(position - 1) === CODES.space;
}

/** Whether the cursor is at an entry of a block sequence. */
export function isAtEntry({ text, position }: Cursor): boolean {
  return text.charCodeAt(position) === CODES.dash && isSpaceOrEnd(text, position + 1);
}
