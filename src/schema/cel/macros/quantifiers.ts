import { buildCall, buildIdent, buildLiteral } from "../syntax/ast.ts";
import { ACCUMULATOR } from "../syntax/macro.ts";
import { charge } from "../runtime/activation.ts";
import { NO_OVERLOAD, type CelValue, isError } from "../runtime/values/value.ts";
import type { FoldMacro } from "./fold.ts";

/** `all` and `exists`: one element may decide, even if others fail. */
function buildQuantifier(decisive: boolean): FoldMacro {
  return {
    cost: decisive ? 4 : 3,
    expand: ({ body }, _, at) => {
      const result = buildIdent(at, ACCUMULATOR);
      return {
        init: buildLiteral(at, !decisive),
        condition: buildCall(at, "@not_strictly_false", decisive ? buildCall(at, "!_", result) : result),
        step: buildCall(at, decisive ? "_||_" : "_&&_", buildIdent(at, ACCUMULATOR), body),
      };
    },
    evaluate:
      ({ body: test }) =>
      () => {
        let result: CelValue = !decisive;
        return {
          step: (frame) => {
            const testResult = test(frame);
            if (testResult === decisive) return decisive;
            if (testResult !== !decisive && typeof result === "boolean")
              result = isError(testResult) ? testResult : NO_OVERLOAD;
            return undefined;
          },
          end: () => result,
        };
      },
  };
}

export const ALL = buildQuantifier(false);
export const EXISTS = buildQuantifier(true);

export const EXISTS_ONE: FoldMacro = {
  cost: 0,
  expand: ({ body }, _, at) => {
    const more = buildCall(at, "_+_", buildIdent(at, ACCUMULATOR), buildLiteral(at, 1n));
    return {
      init: buildLiteral(at, 0n),
      step: buildCall(at, "_?_:_", body, more, buildIdent(at, ACCUMULATOR)),
      result: buildCall(at, "_==_", buildIdent(at, ACCUMULATOR), buildLiteral(at, 1n)),
    };
  },
  evaluate:
    ({ body: test }) =>
    () => {
      let count = 0;
      return {
        step: (frame) => {
          const testResult = test(frame);
          if (testResult === true) {
            charge(frame, 2);
            count++;
          }
          return typeof testResult === "boolean" ? undefined : isError(testResult) ? testResult : NO_OVERLOAD;
        },
        end: () => count === 1,
      };
    },
};
