import { type Span, type Token, CompileError, tokenize } from "../../schema/cel/index.ts";

/** The tokens of a part of a text, with their places in the text; none if it has no tokens. */
export function listTokens(text: string, { start, end }: Span): readonly Token[] {
  try {
    const tokens = tokenize(text.slice(start, end)).filter(({ kind }) => kind !== "end");
    return tokens.map((token) => ({ ...token, start: start + token.start, end: start + token.end }));
  } catch (error) {
    if (error instanceof CompileError) return [];
    throw error;
  }
}

const OPENING = new Set(["(", "[", "{"]);
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The brackets that are still open at the end, as they have to be closed, the innermost first. */
export function listUnclosed(tokens: readonly Token[]): readonly string[] {
  const open: string[] = [];
  for (const { kind } of tokens) {
    if (OPENING.has(kind)) open.push(CLOSING[kind] ?? "");
    else if (kind === open.at(-1)) open.pop();
  }
  return open.toReversed();
}

/** The name of the call whose closing parenthesis is the last token. */
export function findCallName(tokens: readonly Token[]): Token | undefined {
  let depth = 0;
  for (let i = tokens.length - 1; i > 0; i -= 1) {
    const kind = tokens[i]?.kind ?? "";
    if ([")", "]", "}"].includes(kind)) depth += 1;
    if (OPENING.has(kind)) depth -= 1;
    if (depth === 0) return tokens[i - 1]?.kind === "name" ? tokens[i - 1] : undefined;
  }
  return undefined;
}
