import { type Expr, type FoldExpr, type MacroCall, buildIdent, buildLiteral } from "../ast.ts";
import { CompileError } from "../compile-error.ts";
import { ACCUMULATOR, type MacroBody } from "../macro.ts";

/** The expression of each element, and before it perhaps one that keeps elements. */
type Operands = { readonly body: Expr; readonly filter: Expr | undefined };

/** How a macro visits the elements of a list or map. What is left out is the same in most macros. `variable` is the first one. */
export type ExpandFold = (
  operands: Operands,
  variable: Expr,
  at: MacroCall,
) => Pick<FoldExpr, "init" | "step"> & Partial<Pick<FoldExpr, "condition" | "result">>;

/** With one variable, for elements or keys, or with two, for positions or keys and values. */
export function defineFold(count: 1 | 2, expand: ExpandFold): MacroBody {
  return {
    isMethod: true,
    expand: (call) => {
      const [range, first = range, ...others] = call.operands;
      const [variable = "", second] = getVariables(call, count);
      const parts = others.slice(count - 1);
      const operands = { body: parts.at(-1) ?? range, filter: parts.length > 1 ? parts[0] : undefined };
      const { start, end } = call;
      const usual = { condition: buildLiteral(call, true), result: buildIdent(call, ACCUMULATOR) };
      const own = expand(operands, first, call);
      return { op: "fold", range, variable, second, accumulator: ACCUMULATOR, ...usual, ...own, start, end };
    },
  };
}

export function getVariable(expr: Expr | undefined, call: MacroCall): string {
  if (expr?.op === "ident") return expr.name;
  throw new CompileError("a macro's variable must be a plain name", expr ?? call);
}

function getVariables(call: MacroCall, count: number): readonly string[] {
  const names = call.operands.slice(1, 1 + count).map((expr) => getVariable(expr, call));
  if (names.includes(ACCUMULATOR) || names.includes("__result__"))
    throw new CompileError("a macro's variable can't be called __result__", call);
  if (names.length > new Set(names).size) throw new CompileError("a macro's variables have the same name", call);
  return names;
}
