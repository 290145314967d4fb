import { buildCall, buildIdent, buildLiteral } from "../ast.ts";
import { ACCUMULATOR } from "../macro.ts";
import type { ExpandFold } from "./fold.ts";

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
