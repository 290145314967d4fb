import {
  type Expr,
  type FoldExpr,
  type MacroCall,
  buildCall,
  buildIdent,
  buildList,
  buildLiteral,
  buildMethodCall,
  nodesOf,
} from "../ast.ts";
import { CompileError } from "../compile-error.ts";
import type { MacroBody } from "../macro.ts";
import { defineFold, getVariable } from "./fold.ts";
import { TRANSFORM } from "./transforms.ts";

export const HAS: MacroBody = {
  isMethod: false,
  expand: ({ operands: [field] }) => {
    if (field.op === "select") return { ...field, isTest: true };
    throw new CompileError("has() takes the selection of a field", field);
  },
};

/** `value` under a name of its own in `body`. */
function buildBinding(call: MacroCall, name: string, value: Expr, body: Expr): FoldExpr {
  const condition = buildLiteral(call, false);
  const [range, step, { start, end }] = [buildList(call), buildIdent(call, name), call];
  const fold = { range, variable: "#unused", second: undefined, init: value, condition, step, result: body };
  return { op: "fold", accumulator: name, ...fold, start, end };
}

/** Whether there is a value, and the value itself, are asked of the target and of a copy of it. */
function defineOptionalMap(name: string | undefined): MacroBody {
  return {
    isMethod: true,
    expand: (call) => {
      const [target, variable, body = target] = call.operands;
      const value = buildMethodCall(call, "value", copyNodes(target));
      const bound = buildBinding(call, getVariable(variable, call), value, body);
      const result = name === undefined ? bound : buildCall(call, name, bound);
      const test = buildMethodCall(call, "hasValue", target);
      return buildCall(call, "_?_:_", test, result, buildCall(call, "optional.none"));
    },
  };
}

const MOST_COPIED = 10_000;

/** Each such macro on the result of another doubles the nodes, in the API server too. */
function copyNodes(expr: Expr): Expr {
  let count = 0;
  for (const _ of nodesOf(expr)) {
    if (++count > MOST_COPIED) throw new CompileError("it is too large once its macros are expanded", expr, true);
  }
  return structuredClone(expr);
}

export const OPT_MAP = defineOptionalMap("optional.of");
export const OPT_FLAT_MAP = defineOptionalMap(undefined);

const SORTED = "@__sortBy_input__";
const KEYS = defineFold(1, TRANSFORM);

export const SORT_BY: MacroBody = {
  isMethod: true,
  expand: (call) => {
    const [target, ...others] = call.operands;
    if (target.op === "literal" || target.op === "map" || target.op === "struct")
      throw new CompileError("sortBy() must be called on a list", target);
    const keys = KEYS.expand({ ...call, operands: [buildIdent(call, SORTED), ...others] });
    const sorted = buildMethodCall(call, "@sortByAssociatedKeys", buildIdent(call, SORTED), keys);
    return buildBinding(call, SORTED, target, sorted);
  },
};
