import type { CallExpr, Expr } from "../../../../schema/cel/index.ts";

/** A part of an expression that has a value of its own, with the parts that it is made of. */
export type ExpressionPart = {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly ExpressionPart[];
};

/** The operands and calls of an expression, as far as they stand in its text and need no variable of a macro. */
export function listParts(expr: Expr): readonly ExpressionPart[] {
  const { start, end } = expr;
  const parts = listInner(expr);
  const isShown = hasOwnValue(expr);
  return isShown ? [{ start, end, parts: parts.filter((part) => part.start !== start || part.end !== end) }] : parts;
}

function hasOwnValue(expr: Expr): boolean {
  return expr.op !== "literal" && expr.op !== "list" && expr.op !== "map" && expr.op !== "struct";
}

function listInner(expr: Expr): readonly ExpressionPart[] {
  switch (expr.op) {
    case "literal":
    case "ident":
      return [];
    case "select":
      return listOperand(expr.operand);
    case "call":
      return listOfCall(expr);
    case "list":
      return expr.items.flatMap(listParts);
    case "map":
      return expr.entries.flatMap(({ key, value }) => [...listParts(key), ...listParts(value)]);
    case "struct":
      return expr.fields.flatMap(({ value }) => listParts(value));
    case "fold":
      return listOperand(expr.range);
  }
}

/** Steps from a name to a member of it are one part: "object.spec.driver". */
const STEPS = new Set(["_[_]", "_[?_]", "_?._", "orValue", "or"]);

function listOfCall({ name, target, args }: CallExpr): readonly ExpressionPart[] {
  const [first, ...others] = target === undefined ? args : [target, ...args];
  if (first === undefined) return [];
  return [...(STEPS.has(name) ? listOperand(first) : listParts(first)), ...others.flatMap(listParts)];
}

/** What a member is taken of, unless that is a name with members itself. */
function listOperand(operand: Expr): readonly ExpressionPart[] {
  return isPath(operand) ? listInner(operand) : listParts(operand);
}

function isPath(expr: Expr): boolean {
  if (expr.op === "ident") return true;
  if (expr.op === "select") return isPath(expr.operand);
  if (expr.op !== "call" || !STEPS.has(expr.name)) return false;
  const [first] = expr.target === undefined ? expr.args : [expr.target];
  return first !== undefined && isPath(first);
}
