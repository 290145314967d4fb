import type { Span } from "./ast.ts";
import { CompileError } from "./compile-error.ts";

/** `text` is as written; the kind of a mark or a keyword is its text. */
export type Token = Span & { readonly kind: string; readonly text: string };

const ESCAPE = "\\\\(?:[abfnrtv\"'\\\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})";
const STRING = [
  `"""(?:${ESCAPE}|[^\\\\])*?"""`,
  `'''(?:${ESCAPE}|[^\\\\])*?'''`,
  '[rR]"""[^]*?"""',
  "[rR]'''[^]*?'''",
  `"(?:${ESCAPE}|[^\\\\"\\n\\r])*"`,
  `'(?:${ESCAPE}|[^\\\\'\\n\\r])*'`,
  '[rR]"[^"\\n\\r]*"',
  "[rR]'[^'\\n\\r]*'",
].join("|");
const TOKEN = new RegExp(
  [
    "(?<space>[\\t \\r\\n\\f]+|//[^\\n]*)",
    `(?<bytes>[bB](?:${STRING}))`,
    `(?<string>${STRING})`,
    "(?<float>[0-9]+\\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\\.[0-9]+(?:[eE][+-]?[0-9]+)?)",
    "(?<uint>0x[0-9a-fA-F]+[uU]|[0-9]+[uU])",
    "(?<int>0x[0-9a-fA-F]+|[0-9]+)",
    "(?<name>[A-Za-z_][A-Za-z0-9_]*)",
    "(?<mark>==|!=|<=|>=|&&|\\|\\||[<>\\[\\]{}().,\\-!?:+*/%])",
  ].join("|"),
  "y",
);
const KINDS = ["bytes", "string", "float", "uint", "int", "name"];
const KEYWORDS = new Set(["in", "true", "false", "null"]);

/** The tokens of an expression, the last of kind "end". Throws CompileError. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw unexpectedCharacter(text, start);
    if (found.groups?.["space"] !== undefined) continue;
    tokens.push({ kind: classify(found), text: found[0], start, end: TOKEN.lastIndex });
  }
  tokens.push({ kind: "end", text: "", start: text.length, end: text.length });
  return tokens;
}

function unexpectedCharacter(text: string, start: number): CompileError {
  const message = `unexpected ${JSON.stringify(text[start])} at character ${start + 1}`;
  return new CompileError(message, { start, end: start + 1 });
}

function classify(found: RegExpExecArray): string {
  const kind = KINDS.find((name) => found.groups?.[name] !== undefined) ?? found[0];
  return kind === "name" && KEYWORDS.has(found[0]) ? found[0] : kind;
}
