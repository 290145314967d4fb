import { type Expr, type FoldExpr, type MacroCall, buildIdent, buildLiteral } from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { ACCUMULATOR } from "../syntax/macro.ts";
import { type Activation, type Interpretable, charge } from "../runtime/activation.ts";
import { compile } from "../runtime/compiler.ts";
import { type Environment, type MacroBody, addVariable } from "../runtime/environment.ts";
import { findMapValue, getMapKeys } from "../runtime/values/equality.ts";
import { getListValues } from "../runtime/values/unstructured.ts";
import { type CelValue, buildError, isError, isList, isMap } from "../runtime/values/value.ts";

/** One visit of all elements. `step` handles one: a value ends the visit, undefined continues it. */
export type Visit = { readonly step: (frame: Activation) => CelValue | undefined; readonly end: () => CelValue };

/** The expression of each element, and before it perhaps one that keeps elements. */
export type Operands<T> = { readonly body: T; readonly filter: T | undefined };

/** A macro that visits the elements of a list or map, and charges `cost` for each. */
export type FoldMacro = {
  readonly cost: number;
  /** What is left out is the same in most macros. `variable` is the first one. */
  readonly expand: (
    operands: Operands<Expr>,
    variable: Expr,
    at: MacroCall,
  ) => Pick<FoldExpr, "init" | "step"> & Partial<Pick<FoldExpr, "condition" | "result">>;
  /** Returns what begins a visit. `variable` is the first one's slot. */
  readonly evaluate: (operands: Operands<Interpretable>, variable: number) => () => Visit;
};

/** With one variable, for elements or keys, or with two, for positions or keys and values. */
export function defineFold(count: 1 | 2, { cost, expand, evaluate }: FoldMacro): MacroBody {
  return {
    isMethod: true,
    expand: (call) => {
      const [range, first = range, ...others] = call.operands;
      const [variable = "", second] = getVariables(call, count);
      const own = expand(getOperands(others.slice(count - 1), range), first, call);
      const { start, end } = call;
      const usual = { condition: buildLiteral(call, true), result: buildIdent(call, ACCUMULATOR) };
      return { op: "fold", range, variable, second, accumulator: ACCUMULATOR, ...usual, ...own, start, end };
    },
    compile: (call, environment) => {
      const [range, ...others] = call.operands;
      const over = compile(range, environment);
      const [inner, first, second] = addVariables(environment, getVariables(call, count));
      const codes = others.slice(count).map((arg) => compile(arg, inner));
      const begin = evaluate(getOperands(codes, over), first);
      return (frame) => visitAll(over(frame), begin(), [first, second, cost], frame);
    },
  };
}

function getOperands<T>(parts: readonly T[], otherwise: T): Operands<T> {
  return { body: parts.at(-1) ?? otherwise, filter: parts.length > 1 ? parts[0] : undefined };
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

function addVariables(
  environment: Environment,
  [one = "", other]: readonly string[],
): readonly [Environment, number, number | undefined] {
  const [outer, first] = addVariable(environment, one);
  if (other === undefined) return [outer, first, undefined];
  const [inner, second] = addVariable(outer, other);
  return [inner, first, second];
}

function visitAll(
  over: CelValue,
  visit: Visit,
  [first, second, cost]: readonly [first: number, second: number | undefined, cost: number],
  frame: Activation,
): CelValue {
  if (isError(over)) return over;
  if (!isList(over) && !isMap(over)) return buildError(`got ${typeof over}, expected iterable type`);
  const elements = isList(over) ? getListValues(over) : getMapKeys(over);
  for (const [i, element] of elements.entries()) {
    charge(frame, cost);
    frame.variables[first] = second !== undefined && isList(over) ? BigInt(i) : element;
    if (second !== undefined) frame.variables[second] = isList(over) ? element : (findMapValue(over, element) ?? null);
    const done = visit.step(frame);
    if (done !== undefined) return done;
  }
  charge(frame, 1);
  return visit.end();
}
