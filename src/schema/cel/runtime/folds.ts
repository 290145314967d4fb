import type { Expr, FoldExpr } from "../syntax/ast.ts";
import type { Interpretable } from "./activation.ts";
import { type Compile, type Environment, addVariable } from "./environment.ts";
import { findMapValue, getMapKeys } from "../values/equality.ts";
import { getListValues } from "../values/unstructured.ts";
import { type CelValue, type MapKey, buildError, buildList, isError, isList, isMap } from "../values/value.ts";

/** An expanded macro, evaluated as in cel-go: for each element the condition, which may end it, and the step; then the result. */
export function compileFold(expr: FoldExpr, environment: Environment, compile: Compile): Interpretable {
  const range = compile(expr.range, environment);
  const init = compileGrowing(expr.init) ?? compile(expr.init, environment);
  const [around, accumulator] = addVariable(environment, expr.accumulator);
  const [outer, first] = addVariable(around, expr.variable);
  const [inner, second] = expr.second === undefined ? [outer, undefined] : addVariable(outer, expr.second);
  const condition = compile(expr.condition, inner);
  const step = compile(expr.step, inner);
  const result = compile(expr.result, around);
  return (frame) => {
    const over = range(frame);
    if (isError(over)) return over;
    if (!isList(over) && !isMap(over)) return buildError(`got ${typeof over}, expected iterable type`);
    const { variables } = frame;
    variables[accumulator] = init(frame);
    for (const [i, element] of (isList(over) ? getListValues(over) : getMapKeys(over)).entries()) {
      variables[first] = second !== undefined && isList(over) ? BigInt(i) : element;
      if (second !== undefined) variables[second] = isList(over) ? element : (findMapValue(over, element) ?? null);
      if (condition(frame) === false) break;
      variables[accumulator] = step(frame);
    }
    return endGrowth(result(frame));
  };
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
