import { RESERVED_WORDS } from "../values/escaping.ts";
import type { CelValue } from "../values/value.ts";
import { type Expr, type MapEntry, type StructField, buildCall, buildIdent, buildList, buildLiteral } from "./ast.ts";
import { CompileError } from "./compile-error.ts";
import { type State, accept, expect, peek, spanFrom, take, token, unexpected } from "./cursor.ts";
import type { Token } from "./lexer.ts";
import { parseBytes, parseDouble, parseInt64, parseString, parseUint64 } from "./literals.ts";
import { expandMacro } from "./macro.ts";

/** A primary expression: a name or call, a constant, a list, a map, a message, or anything in parentheses. */
export function parsePrimary(state: State): Expr {
  switch (peek(state)) {
    case "(":
      return parseNested(state);
    case "[":
      return parseList(state);
    case "{":
      return parseMap(state);
    case ".":
    case "name":
      return parseName(state);
    default:
      return parseLiteral(state);
  }
}

function parseNested(state: State): Expr {
  const { start } = take(state);
  const expr = state.parse(state);
  const { end } = expect(state, ")");
  return { ...expr, start, end };
}

function parseName(state: State): Expr {
  const length = structNameLength(state);
  if (length > 0) return parseStruct(length, state);
  const { start } = token(state);
  const dot = accept(state, ".") ? "." : "";
  const written = expect(state, "name");
  if (RESERVED_WORDS.has(written.text)) throw new CompileError(`the name ${written.text} is reserved`, written);
  const name = `${dot}${written.text}`;
  if (peek(state) !== "(") return buildIdent(spanFrom(start, state), name);
  const args = parseArguments(state);
  const call = spanFrom(start, state);
  return expandMacro(call, name, false, args, state.macros) ?? buildCall(call, name, ...args);
}

/** How many tokens ahead name a message whose fields follow: "a.b.C{". */
function structNameLength(state: State): number {
  let ahead = peek(state) === "." ? 1 : 0;
  while (peek(state, ahead) === "name") {
    if (peek(state, ahead + 1) === "{") return ahead + 1;
    if (peek(state, ahead + 1) !== ".") return 0;
    ahead += 2;
  }
  return 0;
}

function parseStruct(length: number, state: State): Expr {
  const { start } = token(state);
  const name = Array.from({ length }, () => take(state).text).join("");
  take(state);
  const fields = parseEntries(state, "}", (isOptional): StructField => {
    const field = expect(state, "name").text;
    expect(state, ":");
    return { name: field, value: state.parse(state), isOptional };
  });
  return { op: "struct", name, fields, ...spanFrom(start, state) };
}

/** Up to the closing mark. One trailing comma is allowed, even without entries. */
function parseEntries<T>(state: State, close: string, parseEntry: (isOptional: boolean, i: number) => T): readonly T[] {
  const entries: T[] = [];
  while (peek(state) !== close && peek(state) !== ",") {
    entries.push(parseEntry(accept(state, "?"), entries.length));
    if (!accept(state, ",")) break;
  }
  if (entries.length === 0) accept(state, ",");
  expect(state, close);
  return entries;
}

function parseList(state: State): Expr {
  const { start } = take(state);
  const optional: number[] = [];
  const items = parseEntries(state, "]", (isOptional, i) => {
    if (isOptional) optional.push(i);
    return state.parse(state);
  });
  return buildList(spanFrom(start, state), items, optional.length > 0 ? new Set(optional) : undefined);
}

function parseMap(state: State): Expr {
  const { start } = take(state);
  const entries = parseEntries(state, "}", (isOptional): MapEntry => {
    const key = state.parse(state);
    expect(state, ":");
    return { key, value: state.parse(state), isOptional };
  });
  return { op: "map", entries, ...spanFrom(start, state) };
}

function parseLiteral(state: State): Expr {
  const { start } = token(state);
  const isNegative = accept(state, "-");
  const value = literalFrom(token(state), isNegative);
  if (value === undefined) return unexpected(state);
  take(state);
  return buildLiteral(spanFrom(start, state), value);
}

const LITERALS: ReadonlyMap<string, (written: Token, isNegative: boolean) => CelValue> = new Map([
  ["int", parseInt64],
  ["uint", parseUint64],
  ["float", parseDouble],
  ["string", parseString],
  ["bytes", parseBytes],
  ["true", () => true],
  ["false", () => false],
  ["null", () => null],
]);

function literalFrom(written: Token, isNegative: boolean): CelValue | undefined {
  const { kind } = written;
  return isNegative && kind !== "int" && kind !== "float" ? undefined : LITERALS.get(kind)?.(written, isNegative);
}

export function parseArguments(state: State): readonly Expr[] {
  expect(state, "(");
  const args: Expr[] = [];
  if (accept(state, ")")) return args;
  do args.push(state.parse(state));
  while (accept(state, ","));
  expect(state, ")");
  return args;
}
