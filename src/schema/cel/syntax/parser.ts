import { type Expr, buildCall, buildLiteral, buildMethodCall } from "./ast.ts";
import { CompileError } from "./compile-error.ts";
import { LONGEST, type State, accept, enter, expect, peek, spanFrom, take, token, unexpected } from "./cursor.ts";
import { tokenize } from "./lexer.ts";
import { type Expansions, expandMacro } from "./macro.ts";
import { parseArguments, parsePrimary } from "./primary.ts";

/** An expression with its macros expanded. Throws CompileError. */
export function parseExpression(text: string, macros: Expansions): Expr {
  if (text.length > LONGEST && [...text].length > LONGEST) {
    throw new CompileError(`it is longer than ${LONGEST} characters`, { start: 0, end: text.length });
  }
  const depths = { expr: 0, relation: 0, calc: 0, member: 0 };
  const state: State = { parse: parseConditional, tokens: tokenize(text), macros, place: 0, depths };
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
