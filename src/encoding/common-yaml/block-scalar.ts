import { CODES, type Cursor, giveUp, moveToContent, skipSpaces } from "./cursor.ts";

/** The lines of a block scalar without their indentation, and how many of them, at the end, are blank. */
type BlockLines = { readonly lines: readonly string[]; readonly trailing: number; readonly end: number };

/** Parses a literal or folded scalar, at whose indicator the cursor is, without an indentation indicator. */
export function parseBlockScalar(cursor: Cursor, parentColumn: number): string {
  const { text } = cursor;
  const isFolded = text.charCodeAt(cursor.position) !== CODES.pipe;
  const chomping = text.charCodeAt(cursor.position + 1);
  const start = findFirstLine(cursor);
  const { lines, trailing, end } = readLines(text, start, findIndentation(text, start, parentColumn));
  moveToContent(cursor, end);
  const content = lines.slice(0, lines.length - trailing);
  const value = isFolded ? foldLines(content) : content.join("\n");
  if (chomping === CODES.dash) return value;
  return value + "\n".repeat(chomping === CODES.plus ? trailing + 1 : 1);
}

/** Moves past a literal scalar without keeping its text. */
export function skipLiteral(cursor: Cursor, parentColumn: number): void {
  const { text } = cursor;
  const start = findFirstLine(cursor);
  const indentation = findIndentation(text, start, parentColumn);
  let lineStart = start;
  while (lineStart < text.length) {
    const position = skipAtMost(text, lineStart, indentation);
    if (text.charCodeAt(position) !== CODES.newline && position - lineStart < indentation) break;
    const end = text.indexOf("\n", position);
    if (end < 0) giveUp();
    lineStart = end + 1;
  }
  moveToContent(cursor, lineStart);
}

/** Where the lines of a block scalar begin, after its indicators. */
function findFirstLine({ text, position }: Cursor): number {
  const chomping = text.charCodeAt(position + 1);
  const hasChomping = chomping === CODES.dash || chomping === CODES.plus;
  const end = skipSpaces(text, position + (hasChomping ? 2 : 1));
  return text.charCodeAt(end) === CODES.newline ? end + 1 : giveUp();
}

/** That of the first line with content. Blank lines before it that are indented more are an error. */
function findIndentation(text: string, start: number, parentColumn: number): number {
  let [lineStart, blank] = [start, 0];
  for (;;) {
    const position = skipSpaces(text, lineStart);
    const column = position - lineStart;
    if (text.charCodeAt(position) === CODES.newline) {
      blank = Math.max(blank, column);
      lineStart = position + 1;
      continue;
    }
    if (position >= text.length || column <= parentColumn || column < blank || column === 0) giveUp();
    if (text.charCodeAt(position) === CODES.tab) giveUp();
    return column;
  }
}

function readLines(text: string, start: number, indentation: number): BlockLines {
  const lines: string[] = [];
  let [lineStart, trailing] = [start, 0];
  while (lineStart < text.length) {
    const position = skipAtMost(text, lineStart, indentation);
    const isBlank = text.charCodeAt(position) === CODES.newline;
    if (!isBlank && position - lineStart < indentation) break;
    const end = text.indexOf("\n", position);
    if (end < 0) giveUp();
    lines.push(text.slice(position, end));
    trailing = isBlank ? trailing + 1 : 0;
    lineStart = end + 1;
  }
  return { lines, trailing, end: lineStart };
}

function skipAtMost(text: string, start: number, count: number): number {
  let position = start;
  while (position < start + count && text.charCodeAt(position) === CODES.space) position += 1;
  return position;
}

/** Lines that are indented more keep their line feeds, which is rare enough to leave to the full parser. */
function foldLines(lines: readonly string[]): string {
  if (lines.some((line) => line.startsWith(" ") || line.startsWith("\t"))) giveUp();
  return joinFolded(lines);
}

/** A line feed becomes a space, and each blank line a line feed. */
export function joinFolded(lines: readonly string[]): string {
  let [joined, blank] = [lines[0] ?? "", lines[0] === "" ? 1 : 0];
  for (const line of lines.slice(1)) {
    if (line === "") {
      blank += 1;
      continue;
    }
    joined += (blank === 0 ? " " : "\n".repeat(blank)) + line;
    blank = 0;
  }
  return joined;
}
