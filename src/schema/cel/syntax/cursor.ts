import type { Expr, Span } from "./ast.ts";
import { CompileError } from "./compile-error.ts";
import type { Token } from "./lexer.ts";
import type { Expansions } from "./macro.ts";

/** Bounds of the API server's parser: code points of an expression, and rules of one kind within each other. */
export const LONGEST = 100_000;
const DEEPEST = 250;

/** The tokens, the place among them, and how deep each rule of the grammar is nested just now; `parse` reads any expression from there. */
export type State = {
  readonly parse: (state: State) => Expr;
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
