import { type Expr, buildCall } from "./ast.ts";

/** `a && b && c` as a balanced tree, which is how cel-go keeps long chains flat. */
export function balanced(name: string, terms: readonly Expr[]): Expr {
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

export function buildBinary(name: string, left: Expr, right: Expr): Expr {
  return buildCall({ start: left.start, end: right.end }, name, left, right);
}
