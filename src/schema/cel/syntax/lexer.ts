import type { Span } from "./ast.ts";
import { CompileError } from "./compile-error.ts";

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
