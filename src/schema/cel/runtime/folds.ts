import type { Expr, FoldExpr } from "../syntax/ast.ts";
import { ACCUMULATOR } from "../syntax/macros.ts";
import { findMapValue, getMapKeys } from "../values/equality.ts";
import { FREE_WORK, countWork } from "../values/meter.ts";
import { getListValues } from "../values/unstructured.ts";
import type { CelValue, ListValue, MapKey, MapValue, UnstructuredMap } from "../values/value.ts";
import { buildError, buildList, isError, isList, isMap, joinLogical } from "../values/value.ts";
import type { Activation, Compile, Environment, Interpretable } from "./environment.ts";
import { addVariable, charge } from "./environment.ts";

type Range = ListValue | UnstructuredMap | MapValue;
type Visit = (range: Range, frame: Activation) => CelValue;

/** An expanded macro, evaluated as in cel-go: for each element the condition, which may end it, and the step; then the result. */
export function compileFold(expr: FoldExpr, environment: Environment, compile: Compile): Interpretable {
  const range = compile(expr.range, environment);
  const quantifier = readQuantifier(expr);
  const visit =
    quantifier === undefined
      ? compileVisit(expr, environment, compile)
      : compileQuantifier(expr, quantifier, environment, compile);
  return (frame) => {
    const over = range(frame);
    if (isError(over)) return over;
    if (!isList(over) && !isMap(over)) return buildError(`got ${typeof over}, expected iterable type`);
    return visit(over, frame);
  };
}

function getElements(range: Range): readonly CelValue[] {
  return isList(range) ? getListValues(range) : getMapKeys(range);
}

function compileVisit(expr: FoldExpr, environment: Environment, compile: Compile): Visit {
  const init = compileGrowing(expr.init) ?? compile(expr.init, environment);
  const [around, accumulator] = addVariable(environment, expr.accumulator);
  const [outer, first] = addVariable(around, expr.variable);
  const [inner, second] = expr.second === undefined ? [outer, undefined] : addVariable(outer, expr.second);
  const condition = compile(expr.condition, inner);
  const step = compile(expr.step, inner);
  const result = compile(expr.result, around);
  return (over, frame) => {
    const { variables } = frame;
    variables[accumulator] = init(frame);
    let index = 0n;
    for (const element of getElements(over)) {
      variables[first] = second !== undefined && isList(over) ? index++ : element;
      if (second !== undefined) variables[second] = isList(over) ? element : (findMapValue(over, element) ?? null);
      if (condition(frame) === false) break;
      variables[accumulator] = step(frame);
    }
    return endGrowth(result(frame));
  };
}

/** `decisive`: the value of one element that decides alone. */
type Quantifier = { readonly body: Expr; readonly decisive: boolean };

/** `all` or `exists` with one variable. No other macro's step joins the accumulator with something. */
function readQuantifier({ accumulator, second, step }: FoldExpr): Quantifier | undefined {
  if (accumulator !== ACCUMULATOR || second !== undefined || step.op !== "call") return undefined;
  const [before, body] = step.args;
  if (before?.op !== "ident" || before.name !== ACCUMULATOR || body === undefined) return undefined;
  if (step.name === "_||_") return { body, decisive: true };
  return step.name === "_&&_" ? { body, decisive: false } : undefined;
}

/** The value and the costs of its expansion, in fewer steps. */
function compileQuantifier(
  expr: FoldExpr,
  { body, decisive }: Quantifier,
  environment: Environment,
  compile: Compile,
): Visit {
  const [around] = addVariable(environment, expr.accumulator);
  const [inner, slot] = addVariable(around, expr.variable);
  const test = compile(body, inner);
  return (over, frame) => {
    const { variables } = frame;
    let result: CelValue = !decisive;
    for (const element of getElements(over)) {
      variables[slot] = element;
      chargeCondition(frame, decisive && !isError(result));
      if (result === decisive) break;
      countWork(frame, FREE_WORK);
      charge(frame, 1);
      result = joinLogical(result, test(frame), decisive);
    }
    charge(frame, 1);
    return result;
  };
}

/** The costs of the condition: the accumulator, its negation unless it failed, and the test. */
function chargeCondition(frame: Activation, isNegated: boolean): void {
  charge(frame, 1);
  if (isNegated) charge(frame, 1);
  charge(frame, 1);
}

/** A list or map that a macro makes grows in place, as in cel-go. */
function compileGrowing(init: Expr): Interpretable | undefined {
  if (init.op === "list" && init.items.length === 0)
    return () => {
      const growing: CelValue[] = [];
      return { ...buildList(growing), growing };
    };
  if (init.op === "map" && init.entries.length === 0)
    return () => {
      const growing = new Map<MapKey, readonly [CelValue, CelValue]>();
      return { kind: "map", entries: growing, growing };
    };
  return undefined;
}

function endGrowth(value: CelValue): CelValue {
  if (isList(value) && value.growing) return buildList(value.growing);
  return isMap(value) && value.kind === "map" && value.growing ? { kind: "map", entries: value.growing } : value;
}
