import type { Json } from "../../model/json.ts";
import { parsePlainScalar } from "../yaml-scalars.ts";
import { parseBlockScalar, skipLiteral } from "./block-scalar.ts";
import {
  BEYOND_DOCUMENT,
  CODES,
  type Cursor,
  finishLine,
  giveUp,
  isAtEntry,
  isComment,
  isLineEnd,
  isSpaceOrEnd,
  moveToContent,
  skipSpaces,
  UncommonYamlError,
} from "./cursor.ts";
import { parseFlowCollection } from "./flow-collection.ts";
import { parsePlainText, parseQuotedText } from "./flow-scalar.ts";
import { addMember, MAX_DEPTH } from "./members.ts";
import { enterScope, isOmitted, OMITTED } from "./scope.ts";

/** Anything but line feeds, tabs and the printable characters of the basic plane that no parser treats as a line break or a mark. */
const UNCOMMON = /[^\n\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/**
 * Parses the YAML that nearly all manifests are written in, and JSON, several times faster than the full parser and with the same result.
 * Undefined for whatever it is not sure of, valid or not: anchors, tags, directives, merge and complex keys, uncommon indentation. In the
 * scope "manifest", a placeholder stands for texts that are not needed of manifests.
 */
export function parseCommonYaml(text: string, scope: "all" | "manifest" = "all"): readonly Json[] | undefined {
  if (UNCOMMON.test(text)) return undefined;
  try {
    return parseStream({ text, position: 0, column: 0, scope });
  } catch (thrown) {
    if (thrown instanceof UncommonYamlError) return undefined;
    throw thrown;
  }
}

function parseStream(cursor: Cursor): readonly Json[] {
  const documents: Json[] = [];
  moveToContent(cursor, 0);
  while (cursor.position < cursor.text.length) {
    if (cursor.column === BEYOND_DOCUMENT) {
      cursor.position += 3;
      if (!isSpaceOrEnd(cursor.text, cursor.position)) giveUp();
      finishLine(cursor);
      continue;
    }
    documents.push(parseDocument(cursor));
    if (cursor.column !== BEYOND_DOCUMENT) giveUp();
  }
  return documents;
}

function parseDocument(cursor: Cursor): Json {
  if (cursor.text.charCodeAt(cursor.position) !== CODES.openBrace) return parseBlockCollection(cursor, 0);
  const value = parseFlowCollection(cursor, cursor.column - 1, 0);
  finishLine(cursor);
  return value;
}

/** Parses the block collection that begins at the cursor. */
function parseBlockCollection(cursor: Cursor, depth: number): Json {
  if (depth > MAX_DEPTH) giveUp();
  return isAtEntry(cursor) ? parseBlockSequence(cursor, depth) : parseBlockMapping(cursor, depth);
}

function parseBlockSequence(cursor: Cursor, depth: number): Json {
  const { column } = cursor;
  const items: Json[] = [];
  do {
    cursor.position += 1;
    items.push(parseEntry(cursor, column, depth));
  } while (cursor.column === column && isAtEntry(cursor));
  if (cursor.column > column) giveUp();
  return items;
}

function parseEntry(cursor: Cursor, column: number, depth: number): Json {
  const { text, position } = cursor;
  const start = skipSpaces(text, position);
  if (isLineEnd(text, start) || isComment(text, start)) return parseNested(cursor, column, depth);
  cursor.position = start;
  if (!isAtEntry(cursor) && findKeyEnd(text, start) < 0) return parseInline(cursor, column, depth);
  cursor.column = column + start - position + 1;
  return parseBlockCollection(cursor, depth + 1);
}

function parseBlockMapping(cursor: Cursor, depth: number): Json {
  const { column, scope } = cursor;
  const mapping: Record<string, Json> = {};
  do {
    const key = parseKey(cursor);
    cursor.scope = enterScope(scope, key);
    addMember(mapping, key, parseValue(cursor, isOmitted(scope, key), column, depth));
    cursor.scope = scope;
  } while (cursor.column === column);
  if (cursor.column > column) giveUp();
  return mapping;
}

function parseValue(cursor: Cursor, isTextOmitted: boolean, column: number, depth: number): Json {
  const { text, position } = cursor;
  const start = skipSpaces(text, position);
  if (isLineEnd(text, start) || isComment(text, start)) return parseNestedValue(cursor, column, depth);
  cursor.position = start;
  if (isAtEntry(cursor)) giveUp();
  if (!isTextOmitted || text.charCodeAt(start) !== CODES.pipe) return parseInline(cursor, column, depth);
  skipLiteral(cursor, column);
  return OMITTED;
}

/** Parses a key and moves behind its colon. */
function parseKey(cursor: Cursor): string {
  const { text, position } = cursor;
  const code = text.charCodeAt(position);
  if (code === CODES.doubleQuote || code === CODES.singleQuote) {
    const key = parseQuotedText(cursor, position);
    if (text.slice(position, cursor.position).includes("\n")) giveUp();
    if (text.charCodeAt(cursor.position) !== CODES.colon || !isSpaceOrEnd(text, cursor.position + 1)) giveUp();
    cursor.position += 1;
    return key;
  }
  const end = findKeyEnd(text, position);
  if (end < 0) giveUp();
  const key = text.slice(position, end);
  if (typeof parsePlainScalar(key) !== "string") giveUp();
  cursor.position = end + 1;
  return key;
}

/** Where the colon of a plain key is; below 0 if the text is not a key, or not one of letters, digits and `_-./$`. */
function findKeyEnd(text: string, start: number): number {
  let end = start;
  while (isKeyCode(text.charCodeAt(end))) end += 1;
  const isKey = end > start && text.charCodeAt(end) === CODES.colon && isSpaceOrEnd(text, end + 1);
  return isKey && text.charCodeAt(start) !== CODES.dash ? end : -1;
}

function isKeyCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x2d && code <= 0x39) ||
    code === 0x5f ||
    code === 0x24
  );
}

/** A value on the lines after its key: a sequence may be indented as little as the key. */
function parseNestedValue(cursor: Cursor, column: number, depth: number): Json {
  finishLine(cursor);
  if (cursor.column === column && isAtEntry(cursor)) return parseBlockSequence(cursor, depth + 1);
  return parseBelow(cursor, column, depth);
}

function parseNested(cursor: Cursor, column: number, depth: number): Json {
  finishLine(cursor);
  return parseBelow(cursor, column, depth);
}

function parseBelow(cursor: Cursor, column: number, depth: number): Json {
  return cursor.column > column ? parseBlockCollection(cursor, depth + 1) : null;
}

/** A value on the line of its key or dash, which may go on on the next lines. */
function parseInline(cursor: Cursor, column: number, depth: number): Json {
  switch (cursor.text.charCodeAt(cursor.position)) {
    case CODES.pipe:
    case GREATER_THAN:
      return parseBlockScalar(cursor, column);
    case CODES.singleQuote:
    case CODES.doubleQuote: {
      const value = parseQuotedText(cursor, column);
      finishLine(cursor);
      return value;
    }
    case CODES.openBrace:
    case CODES.openBracket: {
      const value = parseFlowCollection(cursor, column, depth + 1);
      finishLine(cursor);
      return value;
    }
    default:
      return parsePlainText(cursor, column);
  }
}

const GREATER_THAN = 0x3e;
