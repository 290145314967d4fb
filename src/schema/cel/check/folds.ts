import type { Expr, FoldExpr } from "../syntax/ast.ts";
import { substitute } from "./assign.ts";
import { type TypeCheck, fits, checkType, openScope } from "./type-check.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { BOOL, DYN, INT, type Type, typeText } from "../types/types.ts";

/** The type of an expanded macro. */
export function foldType(expr: FoldExpr, check: TypeCheck): Type {
  check.visit(expr.range, check);
  check.visit(expr.init, check);
  const range = substitute(check.mapping, checkType(expr.range, check), false);
  const accumulated = checkType(expr.init, check);
  const outer = check.scope;
  const around = openScope(outer, [[expr.accumulator, accumulated]]);
  check.scope = openScope(around, variableTypes(expr, range, check));
  check.visit(expr.condition, check);
  requireType(expr.condition, BOOL, check);
  check.visit(expr.step, check);
  requireType(expr.step, accumulated, check);
  check.scope = around;
  check.visit(expr.result, check);
  check.scope = outer;
  return substitute(check.mapping, checkType(expr.result, check), false);
}

function requireType(expr: Expr, type: Type, check: TypeCheck): void {
  if (fits(check, [type], [checkType(expr, check)])) return;
  const found = typeText(substitute(check.mapping, checkType(expr, check), true));
  const expected = typeText(substitute(check.mapping, type, true));
  throw new CompileError(`a value of type ${found} does not match the expected type ${expected}`, expr);
}

function variableTypes(
  { variable, second, range: expr }: FoldExpr,
  range: Type,
  check: TypeCheck,
): readonly (readonly [string, Type])[] {
  const [key, value] = rangeTypes(expr, range, check);
  if (second === undefined) return [[variable, range.kind === "list" ? value : key]];
  return [
    [variable, key],
    [second, value],
  ];
}

/** The types of keys (or places in a list) and values. */
function rangeTypes(expr: Expr, range: Type, check: TypeCheck): readonly [Type, Type] {
  const [first = DYN, second = DYN] = range.parameters;
  if (range.kind === "list") return [INT, first];
  if (range.kind === "map") return [first, second];
  if (["dyn", "error", "parameter"].includes(range.kind)) {
    fits(check, [DYN], [range]);
    return [DYN, DYN];
  }
  throw new CompileError(`a value of type ${typeText(range)} has no elements`, expr);
}
