import { type Expr, type MacroCall, buildCall, buildIdent, buildList } from "../ast.ts";
import { ACCUMULATOR } from "../macro.ts";
import type { ExpandFold } from "./fold.ts";

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
