import type { Expr, MapEntry, StructField } from "./ast.ts";
import { buildCall, buildLiteral, buildMethodCall, CompileError, buildIdent, buildList } from "./ast.ts";
import type { State, Token } from "./tokens.ts";
import {
  LONGEST,
  accept,
  enter,
  expect,
  peek,
  spanFrom,
  take,
  token,
  unexpected,
  tokenize,
  parseBytes,
  parseDouble,
  parseInt64,
  parseString,
  parseUint64,
} from "./tokens.ts";
import { type Expansions, expandMacro } from "./macros.ts";
import { RESERVED_WORDS } from "../values/text.ts";
import type { CelValue } from "../values/value.ts";

/** An expression with its macros expanded. Throws CompileError. */
export function parseExpression(text: string, macros: Expansions): Expr {
  if (text.length > LONGEST && [...text].length > LONGEST) {
    throw new CompileError(`it is longer than ${LONGEST} characters`, { start: 0, end: text.length });
  }
  const depths = { expr: 0, relation: 0, calc: 0, member: 0 };
  const state: State = { tokens: tokenize(text), macros, place: 0, depths };
  const expr = parseConditional(state);
  if (peek(state) !== "end") return unexpected(state);
  return expr;
}

function parseConditional(state: State): Expr {
  enter(state, "expr");
  const condition = parseLogical(state, "||");
  const expr = accept(state, "?") ? parseBranches(condition, state) : condition;
  state.depths.expr--;
  return expr;
}

function parseBranches(condition: Expr, state: State): Expr {
  const yes = parseLogical(state, "||");
  expect(state, ":");
  const no = parseConditional(state);
  return buildCall(spanFrom(condition.start, state), "_?_:_", condition, yes, no);
}

function parseLogical(state: State, mark: "||" | "&&"): Expr {
  const first = parseTerm(state, mark);
  if (peek(state) !== mark) return first;
  const terms = [first];
  while (accept(state, mark)) terms.push(parseTerm(state, mark));
  return balanced(mark === "||" ? "_||_" : "_&&_", terms);
}

function parseTerm(state: State, mark: "||" | "&&"): Expr {
  return mark === "||" ? parseLogical(state, "&&") : parseBinary(state, 0);
}

/** `a && b && c` as a balanced tree, which is how cel-go keeps long chains flat. */
function balanced(name: string, terms: readonly Expr[]): Expr {
  return tree(name, terms, 0, terms.length - 2);
}

/** Operators from `low` to `high`; the operator i stands between the terms i and i + 1. */
function tree(name: string, terms: readonly Expr[], low: number, high: number): Expr {
  const middle = Math.floor((low + high + 1) / 2);
  const left = middle === low ? terms[middle] : tree(name, terms, low, middle - 1);
  const right = middle === high ? terms[middle + 1] : tree(name, terms, middle + 1, high);
  if (left === undefined || right === undefined) throw new RangeError("an operator has two terms");
  return buildBinary(name, left, right);
}

function buildBinary(name: string, left: Expr, right: Expr): Expr {
  return buildCall({ start: left.start, end: right.end }, name, left, right);
}

const RELATION = 1;
const OPERATORS: ReadonlyMap<string, { readonly name: string; readonly binds: number }> = new Map([
  ["<", { name: "_<_", binds: RELATION }],
  ["<=", { name: "_<=_", binds: RELATION }],
  [">=", { name: "_>=_", binds: RELATION }],
  [">", { name: "_>_", binds: RELATION }],
  ["==", { name: "_==_", binds: RELATION }],
  ["!=", { name: "_!=_", binds: RELATION }],
  ["in", { name: "@in", binds: RELATION }],
  ["+", { name: "_+_", binds: 2 }],
  ["-", { name: "_-_", binds: 2 }],
  ["*", { name: "_*_", binds: 3 }],
  ["/", { name: "_/_", binds: 3 }],
  ["%", { name: "_%_", binds: 3 }],
]);

/** Operators that bind more than `least`. Each nests its rule once more on its left, as ANTLR counts it. */
function parseBinary(state: State, least: number): Expr {
  const rule = least < RELATION ? "relation" : "calc";
  const before = state.depths[rule];
  enter(state, rule);
  let left = least < RELATION ? parseBinary(state, RELATION) : parseUnary(state);
  for (;;) {
    const operator = OPERATORS.get(peek(state));
    if (operator === undefined || operator.binds <= least) break;
    take(state);
    enter(state, rule);
    left = buildBinary(operator.name, left, parseBinary(state, operator.binds));
  }
  state.depths[rule] = before;
  return left;
}

function parseUnary(state: State): Expr {
  const mark = peek(state);
  if (mark !== "!" && (mark !== "-" || ["int", "float"].includes(peek(state, 1)))) return parseMember(state);
  const { start } = token(state);
  let isOdd = false;
  while (accept(state, mark)) isOdd = !isOdd;
  const operand = parseMember(state);
  return isOdd ? buildCall(spanFrom(start, state), mark === "!" ? "!_" : "-_", operand) : operand;
}

function parseMember(state: State): Expr {
  const before = state.depths.member;
  enter(state, "member");
  let expr = parsePrimary(state);
  while (peek(state) === "." || peek(state) === "[") {
    enter(state, "member");
    expr = accept(state, ".") ? parseSelection(expr, state) : parseIndex(expr, state);
  }
  state.depths.member = before;
  return expr;
}

function parseSelection(operand: Expr, state: State): Expr {
  const isOptional = accept(state, "?");
  const field = expect(state, "name").text;
  const at = spanFrom(operand.start, state);
  if (isOptional) return buildCall(at, "_?._", operand, buildLiteral(token(state, -1), field));
  if (peek(state) !== "(") return { op: "select", operand, field, isTest: false, ...at };
  const operands = [operand, ...parseArguments(state)] as const;
  const call = spanFrom(operand.start, state);
  return expandMacro(call, field, true, operands, state.macros) ?? buildMethodCall(call, field, ...operands);
}

function parseIndex(operand: Expr, state: State): Expr {
  expect(state, "[");
  const name = accept(state, "?") ? "_[?_]" : "_[_]";
  const index = parseConditional(state);
  expect(state, "]");
  return buildCall(spanFrom(operand.start, state), name, operand, index);
}

/** A primary expression: a name or call, a constant, a list, a map, a message, or anything in parentheses. */
function parsePrimary(state: State): Expr {
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
  const expr = parseConditional(state);
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
    return { name: field, value: parseConditional(state), isOptional };
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
    return parseConditional(state);
  });
  return buildList(spanFrom(start, state), items, optional.length > 0 ? new Set(optional) : undefined);
}

function parseMap(state: State): Expr {
  const { start } = take(state);
  const entries = parseEntries(state, "}", (isOptional): MapEntry => {
    const key = parseConditional(state);
    expect(state, ":");
    return { key, value: parseConditional(state), isOptional };
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

function parseArguments(state: State): readonly Expr[] {
  expect(state, "(");
  const args: Expr[] = [];
  if (accept(state, ")")) return args;
  do args.push(parseConditional(state));
  while (accept(state, ","));
  expect(state, ")");
  return args;
}
