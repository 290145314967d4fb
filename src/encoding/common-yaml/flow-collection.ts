import type { Json } from "../../model/json.ts";
import { parsePlainScalar } from "../yaml-scalars.ts";
import { CODES, type Cursor, giveUp } from "./cursor.ts";
import { parseQuotedText } from "./flow-scalar.ts";
import { addMember, MAX_DEPTH } from "./members.ts";

/** A plain scalar of words that hold no indicator, on one line, and the spaces behind it. */
const PLAIN = /([A-Za-z0-9_./][A-Za-z0-9_./-]*(?: +[A-Za-z0-9_./-]+)*|-[0-9.eE+]+) */y;
/** No indentation is too small: the caller has seen that all lines are the collection's. */
const ANY_COLUMN = -1;

/** Parses a flow collection, at whose bracket the cursor is, and moves behind it. Its further lines are indented more than `parentColumn`. */
export function parseFlowCollection(cursor: Cursor, parentColumn: number, depth: number): Json {
  if (depth > MAX_DEPTH) giveUp();
  const isMapping = cursor.text.charCodeAt(cursor.position) === CODES.openBrace;
  cursor.position += 1;
  return isMapping ? parseFlowMapping(cursor, parentColumn, depth) : parseFlowSequence(cursor, parentColumn, depth);
}

function parseFlowSequence(cursor: Cursor, parentColumn: number, depth: number): Json {
  const items: Json[] = [];
  if (isClosed(cursor, parentColumn, CODES.closeBracket)) return items;
  do items.push(parseFlowNode(cursor, parentColumn, depth));
  while (hasNext(cursor, parentColumn, CODES.closeBracket));
  return items;
}

function parseFlowMapping(cursor: Cursor, parentColumn: number, depth: number): Json {
  const mapping: Record<string, Json> = {};
  if (isClosed(cursor, parentColumn, CODES.closeBrace)) return mapping;
  do {
    const key = parseFlowScalar(cursor, parentColumn);
    if (typeof key !== "string" || cursor.text.charCodeAt(cursor.position) !== CODES.colon) giveUp();
    cursor.position += 1;
    const isApart = isSpace(cursor.text.charCodeAt(cursor.position));
    if (!isApart && cursor.text.charCodeAt(cursor.position - 2) !== CODES.doubleQuote) giveUp();
    moveInFlow(cursor, parentColumn);
    addMember(mapping, key, parseFlowNode(cursor, parentColumn, depth));
  } while (hasNext(cursor, parentColumn, CODES.closeBrace));
  return mapping;
}

function isClosed(cursor: Cursor, parentColumn: number, bracket: number): boolean {
  moveInFlow(cursor, parentColumn);
  if (cursor.text.charCodeAt(cursor.position) !== bracket) return false;
  cursor.position += 1;
  return true;
}

/** Moves behind a comma to the next entry, or behind the closing bracket. */
function hasNext(cursor: Cursor, parentColumn: number, bracket: number): boolean {
  moveInFlow(cursor, parentColumn);
  const code = cursor.text.charCodeAt(cursor.position);
  cursor.position += 1;
  if (code === bracket) return false;
  if (code !== CODES.comma) giveUp();
  moveInFlow(cursor, parentColumn);
  return true;
}

function parseFlowNode(cursor: Cursor, parentColumn: number, depth: number): Json {
  const code = cursor.text.charCodeAt(cursor.position);
  if (code === CODES.openBrace || code === CODES.openBracket)
    return parseFlowCollection(cursor, parentColumn, depth + 1);
  const value = parseFlowScalar(cursor, parentColumn);
  if (typeof value === "number" && !Number.isFinite(value)) giveUp();
  if (cursor.text.charCodeAt(cursor.position) === CODES.colon) giveUp();
  return value;
}

function parseFlowScalar(cursor: Cursor, parentColumn: number): null | boolean | number | string {
  const { text, position } = cursor;
  const code = text.charCodeAt(position);
  if (code === CODES.doubleQuote || code === CODES.singleQuote) {
    const value = parseQuotedText(cursor, ANY_COLUMN);
    return text.indexOf("\n", position) < cursor.position && text.includes("\n", position) ? giveUp() : value;
  }
  PLAIN.lastIndex = position;
  const plain = PLAIN.exec(text)?.[1] ?? giveUp();
  cursor.position = PLAIN.lastIndex;
  moveInFlow(cursor, parentColumn);
  if (!FOLLOWERS.has(text.charCodeAt(cursor.position))) giveUp();
  return parsePlainScalar(plain);
}

const FOLLOWERS: ReadonlySet<number> = new Set([CODES.comma, CODES.closeBrace, CODES.closeBracket, CODES.colon]);

function isSpace(code: number): boolean {
  return code === CODES.space || code === CODES.newline;
}

/** Moves to the next character that is neither a space nor a line feed. */
function moveInFlow(cursor: Cursor, parentColumn: number): void {
  const { text } = cursor;
  let [position, lineStart] = [cursor.position, -1];
  while (isSpace(text.charCodeAt(position))) {
    if (text.charCodeAt(position) === CODES.newline) lineStart = position + 1;
    position += 1;
  }
  if (position >= text.length || (lineStart >= 0 && position - lineStart <= parentColumn)) giveUp();
  cursor.position = position;
}
