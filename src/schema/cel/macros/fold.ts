import { type Expr, type FoldExpr, type MacroCall, buildIdent } from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { ACCUMULATOR } from "../syntax/macro.ts";
import { type Activation, type Interpretable, charge } from "../runtime/activation.ts";
import { compile } from "../runtime/compiler.ts";
import { type Environment, type Macro, addVariable } from "../runtime/environment.ts";
import { findMapValue, getMapKeys } from "../runtime/values/equality.ts";
import { getListValues } from "../runtime/values/unstructured.ts";
import { type CelValue, buildError, isError, isList, isMap } from "../runtime/values/value.ts";
import { buildBool, getTarget, getVariable } from "./parts.ts";

/** Handles one element: a value ends the visit, undefined continues it. */
export type VisitElement = (frame: Activation) => CelValue | undefined;

/** The state of one visit: what happens with each element, and the result of all. */
export type Visit = { readonly step: VisitElement; readonly end: () => CelValue };

/** The last expressions of a macro that visits elements: what is tested or made, and before it perhaps which elements. */
export type Operands<T> = { readonly body: T; readonly filter: T | undefined };

/** A macro that visits each element of a list or map. `cost` is charged for each element. */
export type FoldMacro = {
  readonly cost: number;
  /** What is left out is the same in most macros. */
  readonly expand: (
    operands: Operands<Expr>,
    variables: readonly Expr[],
    call: MacroCall,
  ) => Pick<FoldExpr, "init" | "step"> & Partial<Pick<FoldExpr, "condition" | "result">>;
  /** Begins a visit. `variable` is the first one's slot. */
  readonly evaluate: (operands: Operands<Interpretable>, variable: number) => () => Visit;
};

/** `count` variables stand before the operands: for the elements or keys, or for positions or keys and values. */
export function defineFold(
  count: 1 | 2,
  { cost, expand, evaluate }: FoldMacro,
): Pick<Macro, "isMethod" | "expand" | "compile"> {
  return {
    isMethod: true,
    expand: (call) => {
      const names = getVariables(call, count);
      const variables = call.args.slice(0, count);
      return buildFold(call, names, expand(getOperands(call.args.slice(count), call), variables, call));
    },
    compile: (call, environment) => {
      const over = compile(getTarget(call), environment);
      const [inner, first, second] = addVariables(environment, getVariables(call, count));
      const codes = call.args.slice(count).map((arg) => compile(arg, inner));
      const begin = evaluate(getOperands(codes, call), first);
      return (frame) => visitAll(over(frame), begin(), [first, second, cost], frame);
    },
  };
}

function getOperands<T>(parts: readonly T[], call: MacroCall): Operands<T> {
  const body = parts.at(-1);
  if (body === undefined) throw new CompileError("a macro lacks an argument", call);
  return { body, filter: parts.length > 1 ? parts[0] : undefined };
}

function buildFold(
  call: MacroCall,
  [variable = "", second]: readonly string[],
  { init, condition, step, result }: ReturnType<FoldMacro["expand"]>,
): FoldExpr {
  return {
    op: "fold",
    range: getTarget(call),
    variable,
    second,
    accumulator: ACCUMULATOR,
    init,
    condition: condition ?? buildBool(call, true),
    step,
    result: result ?? buildIdent(call, ACCUMULATOR),
    start: call.start,
    end: call.end,
  };
}

function getVariables(call: MacroCall, count: number): readonly string[] {
  const names = Array.from({ length: count }, (_, i) => getVariable(call, i));
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
