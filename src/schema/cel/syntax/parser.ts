import { type Expr, buildCall, buildLiteral, buildMethodCall } from "./ast.ts";
import { LONGEST, type State, accept, enter, expect, peek, take, unexpected } from "./cursor.ts";
import { InvalidExpression } from "./invalid.ts";
import { tokenize } from "./lexer.ts";
import { balanced } from "./logic.ts";
import { expandMacro } from "./macros.ts";
import { parsePrimary } from "./primary.ts";

/** An expression with its macros expanded. Throws InvalidExpression. */
export function parseExpression(text: string): Expr {
  if (text.length > LONGEST && [...text].length > LONGEST) {
    throw new InvalidExpression(`it is longer than ${LONGEST} characters`);
  }
  const state: State = { tokens: tokenize(text), place: 0, depths: { expr: 0, relation: 0, calc: 0, member: 0 } };
  const expr = parseConditional(state);
  if (peek(state) !== "end") return unexpected(state);
  return expr;
}

export function parseConditional(state: State): Expr {
  enter(state, "expr");
  const condition = parseLogical(state, "||");
  const expr = accept(state, "?") ? parseBranches(condition, state) : condition;
  state.depths.expr--;
  return expr;
}

function parseBranches(condition: Expr, state: State): Expr {
  const yes = parseLogical(state, "||");
  expect(state, ":");
  return buildCall("_?_:_", condition, yes, parseConditional(state));
}

function parseLogical(state: State, mark: "||" | "&&"): Expr {
  const terms: Expr[] = [];
  do terms.push(mark === "||" ? parseLogical(state, "&&") : parseRelation(state));
  while (accept(state, mark));
  return balanced(mark === "||" ? "_||_" : "_&&_", terms);
}

const RELATIONS: ReadonlyMap<string, string> = new Map([
  ["<", "_<_"],
  ["<=", "_<=_"],
  [">=", "_>=_"],
  [">", "_>_"],
  ["==", "_==_"],
  ["!=", "_!=_"],
  ["in", "@in"],
]);

/** Each operator nests the rule once more on its left, as ANTLR counts it. */
function parseRelation(state: State): Expr {
  const before = state.depths.relation;
  enter(state, "relation");
  let left = parseCalc(state, 0);
  for (;;) {
    const name = RELATIONS.get(peek(state));
    if (name === undefined) break;
    take(state);
    enter(state, "relation");
    left = buildCall(name, left, parseCalc(state, 0));
  }
  state.depths.relation = before;
  return left;
}

const CALCS: ReadonlyMap<string, readonly [name: string, binds: number]> = new Map([
  ["+", ["_+_", 1]],
  ["-", ["_-_", 1]],
  ["*", ["_*_", 2]],
  ["/", ["_/_", 2]],
  ["%", ["_%_", 2]],
]);

function parseCalc(state: State, least: number): Expr {
  const before = state.depths.calc;
  enter(state, "calc");
  let left = parseUnary(state);
  for (;;) {
    const [name, binds] = CALCS.get(peek(state)) ?? ["", 0];
    if (binds <= least) break;
    take(state);
    enter(state, "calc");
    left = buildCall(name, left, parseCalc(state, binds));
  }
  state.depths.calc = before;
  return left;
}

function parseUnary(state: State): Expr {
  const mark = peek(state);
  const isNumber = mark === "-" && ["int", "float"].includes(peek(state, 1));
  if (isNumber || (mark !== "!" && mark !== "-")) return parseMember(state);
  let isOdd = false;
  while (accept(state, mark)) isOdd = !isOdd;
  const operand = parseMember(state);
  return isOdd ? buildCall(mark === "!" ? "!_" : "-_", operand) : operand;
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
  if (isOptional) return buildCall("_?._", operand, buildLiteral({ kind: "string", value: field }));
  if (peek(state) !== "(") return { op: "select", operand, field, isTest: false };
  const args = parseArguments(state);
  return expandMacro(field, operand, args) ?? buildMethodCall(field, operand, ...args);
}

function parseIndex(operand: Expr, state: State): Expr {
  expect(state, "[");
  const name = accept(state, "?") ? "_[?_]" : "_[_]";
  const index = parseConditional(state);
  expect(state, "]");
  return buildCall(name, operand, index);
}

export function parseArguments(state: State): readonly Expr[] {
  expect(state, "(");
  const args: Expr[] = [];
  if (accept(state, ")")) return args;
  do args.push(parseConditional(state));
  while (accept(state, ","));
  expect(state, ")");
  return args;
}
