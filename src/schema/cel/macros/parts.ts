import {
  type Expr,
  type FoldExpr,
  type MacroCall,
  type Span,
  buildIdent,
  buildList,
  buildLiteral,
} from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";

/** The variable of folds without one. */
export const UNUSED = "#unused";

/** A macro's table row makes sure that there is such an argument. */
export function getArgument({ args, start, end }: MacroCall, index: number): Expr {
  const arg = args[index];
  if (arg === undefined) throw new CompileError("a macro lacks an argument", { start, end });
  return arg;
}

export function getTarget({ target, start, end }: MacroCall): Expr {
  if (target === undefined) throw new CompileError("a macro lacks its target", { start, end });
  return target;
}

export function getVariable(call: MacroCall, index: number): string {
  const variable = getArgument(call, index);
  if (variable.op !== "ident") throw new CompileError("a macro's variable must be a plain name", variable);
  return variable.name;
}

export function buildBool(at: Span, value: boolean): Expr {
  return buildLiteral(at, { kind: "bool", value });
}

export function buildInt(at: Span, value: bigint): Expr {
  return buildLiteral(at, { kind: "int", value });
}

/** `value` under a name of its own in `body`. */
export function buildBinding({ start, end }: Span, name: string, value: Expr, body: Expr): FoldExpr {
  const at = { start, end };
  return {
    op: "fold",
    range: buildList(at),
    variable: UNUSED,
    second: undefined,
    accumulator: name,
    init: value,
    condition: buildBool(at, false),
    step: buildIdent(at, name),
    result: body,
    ...at,
  };
}
