import { type Span, CompileError } from "./ast.ts";
import { type CelValue, buildBytes } from "../values/value.ts";
import { getEscapedSign } from "../values/text.ts";
import type { Expansions } from "./macros.ts";

/** `text` is as written; the kind of a mark or a keyword is its text. */
export type Token = Span & { readonly kind: string; readonly text: string };

const ESCAPED = "\\\\(?:[abfnrtv\"'\\\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})";
const STRING = [
  `"""(?:${ESCAPED}|[^\\\\])*?"""`,
  `'''(?:${ESCAPED}|[^\\\\])*?'''`,
  '[rR]"""[^]*?"""',
  "[rR]'''[^]*?'''",
  `"(?:${ESCAPED}|[^\\\\"\\n\\r])*"`,
  `'(?:${ESCAPED}|[^\\\\'\\n\\r])*'`,
  '[rR]"[^"\\n\\r]*"',
  "[rR]'[^'\\n\\r]*'",
].join("|");
const SPACE = /(?:[\t \r\n\f]+|\/\/[^\n]*)*/y;
const TOKEN = new RegExp(
  [
    `[bB]?(?:${STRING})`,
    "[0-9]+\\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\\.[0-9]+(?:[eE][+-]?[0-9]+)?",
    "(?:0x[0-9a-fA-F]+|[0-9]+)[uU]?",
    "[A-Za-z_][A-Za-z0-9_]*",
    "==|!=|<=|>=|&&|\\|\\||[<>\\[\\]{}().,\\-!?:+*/%]",
  ].join("|"),
  "y",
);
const KEYWORDS = new Set(["in", "true", "false", "null"]);

/** The tokens of an expression, the last of kind "end". Throws CompileError. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let start = skipSpace(text, 0); start < text.length; start = skipSpace(text, TOKEN.lastIndex)) {
    TOKEN.lastIndex = start;
    if (!TOKEN.test(text)) throw unexpectedCharacter(text, start);
    const written = text.slice(start, TOKEN.lastIndex);
    tokens.push({ kind: classify(written), text: written, start, end: TOKEN.lastIndex });
  }
  tokens.push({ kind: "end", text: "", start: text.length, end: text.length });
  return tokens;
}

/** Where the brace closes that is open before `start`; undefined if it does not, or if no expression is in it. */
export function findClosingBrace(text: string, start: number): number | undefined {
  let open = 1;
  for (let at = skipSpace(text, start); at < text.length; at = skipSpace(text, TOKEN.lastIndex)) {
    TOKEN.lastIndex = at;
    if (!TOKEN.test(text)) return undefined;
    if (text[at] === "{") open += 1;
    if (text[at] === "}") open -= 1;
    if (open === 0) return at;
  }
  return undefined;
}

function skipSpace(text: string, start: number): number {
  SPACE.lastIndex = start;
  SPACE.test(text);
  return SPACE.lastIndex;
}

function unexpectedCharacter(text: string, start: number): CompileError {
  const message = `unexpected ${JSON.stringify(text[start])} at character ${start + 1}`;
  return new CompileError(message, { start, end: start + 1 });
}

/** From its first and last characters, which is faster than to ask which part of the pattern matched. */
function classify(text: string): string {
  if (/["']$/.test(text)) return /^[bB]/.test(text) ? "bytes" : "string";
  if (/^[A-Za-z_]/.test(text)) return KEYWORDS.has(text) ? text : "name";
  if (!/^\.?[0-9]/.test(text)) return text;
  if (/[uU]$/.test(text)) return "uint";
  return /^0x|^[0-9]+$/.test(text) ? "int" : "float";
}

const MOST_INT = 2n ** 63n;

export function parseInt64(token: Token, isNegative: boolean): CelValue {
  const value = isNegative ? -BigInt(token.text) : BigInt(token.text);
  if (value >= MOST_INT || value < -MOST_INT) throw outOfRange("integer", token);
  return value;
}

export function parseUint64(token: Token): CelValue {
  const value = BigInt(token.text.slice(0, -1));
  if (value >= 2n * MOST_INT) throw outOfRange("integer", token);
  return { kind: "uint", value };
}

export function parseDouble(token: Token, isNegative: boolean): CelValue {
  const value = Number(token.text);
  if (!Number.isFinite(value)) throw outOfRange("number", token);
  return isNegative ? -value : value;
}

function outOfRange(what: string, token: Token): CompileError {
  return new CompileError(`the ${what} ${token.text} is out of range`, token);
}

export function parseString(token: Token): CelValue {
  const { body, isRaw } = parseBody(token.text);
  return isRaw ? body : body.replaceAll(ESCAPE, (escape) => String.fromCodePoint(parseCodePoint(escape, token)));
}

/** Escapes by number are bytes, all else is UTF-8. */
export function parseBytes(token: Token): CelValue {
  const { body, isRaw } = parseBody(token.text.slice(1));
  if (isRaw) return buildBytes(Buffer.from(body, "utf8"));
  const parts: Uint8Array[] = [];
  let last = 0;
  for (const found of body.matchAll(ESCAPE)) {
    parts.push(Buffer.from(body.slice(last, found.index), "utf8"), parseByte(found[0], token));
    last = found.index + found[0].length;
  }
  return buildBytes(Buffer.concat([...parts, Buffer.from(body.slice(last), "utf8")]));
}

function parseByte(escape: string, token: Token): Uint8Array {
  if (/^\\[uU]/.test(escape)) throw new CompileError("bytes can't hold an escape of a character", token);
  return Uint8Array.of(escapedNumber(escape) ?? escapedSign(escape));
}

const ESCAPE = /\\(?:[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^])/g;

function parseCodePoint(escape: string, token: Token): number {
  const value = escapedNumber(escape) ?? escapedSign(escape);
  if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) {
    throw new CompileError(`${escape} is not a character`, token);
  }
  return value;
}

function escapedNumber(escape: string): number | undefined {
  if (/^\\[0-3]/.test(escape)) return Number.parseInt(escape.slice(1), 8);
  return /^\\[xXuU]/.test(escape) ? Number.parseInt(escape.slice(2), 16) : undefined;
}

function escapedSign(escape: string): number {
  const sign = escape.slice(1);
  return (getEscapedSign(sign) ?? sign).codePointAt(0) ?? 0;
}

function parseBody(text: string): { readonly body: string; readonly isRaw: boolean } {
  const normal = text.replaceAll(/\r\n?/g, "\n");
  const isRaw = /^[rR]/.test(normal);
  const quoted = isRaw ? normal.slice(1) : normal;
  const width = quoted.length >= 6 && /^(?:"""|''')/.test(quoted) ? 3 : 1;
  return { body: quoted.slice(width, -width), isRaw };
}

/** Bounds of the API server's parser: code points of an expression, and rules of one kind within each other. */
export const LONGEST = 100_000;
const DEEPEST = 250;

/** The tokens, the place among them, and how deep each rule of the grammar is nested just now. */
export type State = {
  readonly tokens: readonly Token[];
  readonly macros: Expansions;
  place: number;
  readonly depths: { expr: number; relation: number; calc: number; member: number };
};

const NOTHING: Token = { kind: "end", text: "", start: 0, end: 0 };

export function token({ tokens, place }: State, ahead = 0): Token {
  return tokens[place + ahead] ?? tokens.at(-1) ?? NOTHING;
}

export function peek(state: State, ahead = 0): string {
  return token(state, ahead).kind;
}

export function take(state: State): Token {
  const taken = token(state);
  state.place++;
  return taken;
}

export function accept(state: State, kind: string): boolean {
  if (peek(state) !== kind) return false;
  state.place++;
  return true;
}

export function expect(state: State, kind: string): Token {
  return peek(state) === kind ? take(state) : unexpected(state);
}

/** From `start` to the end of the last token that was taken. */
export function spanFrom(start: number, state: State): Span {
  return { start, end: token(state, -1).end };
}

export function unexpected(state: State): never {
  const at = token(state);
  if (at.kind === "end") throw new CompileError("the expression is incomplete", at);
  throw new CompileError(`unexpected ${JSON.stringify(at.text)} at character ${at.start + 1}`, at);
}

export function enter(state: State, rule: keyof State["depths"]): void {
  if (++state.depths[rule] > DEEPEST)
    throw new CompileError(`it is nested deeper than ${DEEPEST} levels`, token(state));
}
