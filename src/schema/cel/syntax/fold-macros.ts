import { type Expr, type FoldExpr, type MacroCall, buildCall, buildIdent, buildList, buildLiteral } from "./ast.ts";
import { CompileError } from "./compile-error.ts";
import { ACCUMULATOR, type MacroBody } from "./macro.ts";

/** The expression of each element, and before it perhaps one that keeps elements. */
type Operands = { readonly body: Expr; readonly filter: Expr | undefined };

/** How a macro visits the elements of a list or map. What is left out is the same in most macros. `variable` is the first one. */
type ExpandFold = (
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

/** `all` and `exists`: one element may decide, even if others fail. */
function buildQuantifier(decisive: boolean): ExpandFold {
  return ({ body }, _, at) => {
    const result = buildIdent(at, ACCUMULATOR);
    return {
      init: buildLiteral(at, !decisive),
      condition: buildCall(at, "@not_strictly_false", decisive ? buildCall(at, "!_", result) : result),
      step: buildCall(at, decisive ? "_||_" : "_&&_", buildIdent(at, ACCUMULATOR), body),
    };
  };
}

export const ALL = buildQuantifier(false);
export const EXISTS = buildQuantifier(true);

export const EXISTS_ONE: ExpandFold = ({ body }, _, at) => {
  const more = buildCall(at, "_+_", buildIdent(at, ACCUMULATOR), buildLiteral(at, 1n));
  return {
    init: buildLiteral(at, 0n),
    step: buildCall(at, "_?_:_", body, more, buildIdent(at, ACCUMULATOR)),
    result: buildCall(at, "_==_", buildIdent(at, ACCUMULATOR), buildLiteral(at, 1n)),
  };
};

/** `map` and `transformList`: of each element, or of those that the filter keeps. */
export const TRANSFORM: ExpandFold = ({ filter, body }, _, at) => {
  const step = buildCall(at, "_+_", buildIdent(at, ACCUMULATOR), buildList(at, [body]));
  return { init: buildList(at), step: skipOthers(filter, step, at) };
};

export const FILTER: ExpandFold = ({ body: filter }, body, at) => TRANSFORM({ filter, body }, body, at);

function skipOthers(filter: Expr | undefined, step: Expr, at: MacroCall): Expr {
  return filter ? buildCall(at, "_?_:_", filter, step, buildIdent(at, ACCUMULATOR)) : step;
}

function buildMapTransform(expandEntry: (key: Expr, body: Expr) => readonly Expr[]): ExpandFold {
  return ({ filter, body }, key, at) => {
    const step = buildCall(at, "cel.@mapInsert", buildIdent(at, ACCUMULATOR), ...expandEntry(key, body));
    return { init: { op: "map", entries: [], start: at.start, end: at.end }, step: skipOthers(filter, step, at) };
  };
}

export const TRANSFORM_MAP = buildMapTransform((key, body) => [key, body]);
export const TRANSFORM_MAP_ENTRY = buildMapTransform((_, body) => [body]);
