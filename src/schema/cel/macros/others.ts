import {
  type Expr,
  type FoldExpr,
  type MacroCall,
  type SelectExpr,
  buildCall,
  buildIdent,
  buildList,
  buildLiteral,
  buildMethodCall,
  nodesOf,
} from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { charge } from "../runtime/activation.ts";
import { compile } from "../runtime/compiler.ts";
import { type MacroBody, addVariable } from "../runtime/environment.ts";
import { sortByKeys } from "../library/list-building.ts";
import { hasField } from "../runtime/selection.ts";
import {
  NO_OVERLOAD,
  OPTIONAL_NONE,
  type CelValue,
  buildOptional,
  isError,
  isObjectValue,
} from "../runtime/values/value.ts";
import { defineFold, getVariable } from "./fold.ts";
import { TRANSFORM } from "./transforms.ts";

export const HAS: MacroBody = {
  isMethod: false,
  expand: (call) => ({ ...getSelection(call), isTest: true }),
  compile: (call, environment) => {
    const { operand, field } = getSelection(call);
    const code = compile(operand, environment);
    return (frame) => {
      const value = code(frame);
      return isError(value) ? value : hasField(value, field);
    };
  },
};

function getSelection({ operands: [field] }: MacroCall): SelectExpr {
  if (field.op === "select") return field;
  throw new CompileError("has() takes the selection of a field", field);
}

/** `value` under a name of its own in `body`. */
function buildBinding(call: MacroCall, name: string, value: Expr, body: Expr): FoldExpr {
  const condition = buildLiteral(call, false);
  const [range, step, { start, end }] = [buildList(call), buildIdent(call, name), call];
  const fold = { range, variable: "#unused", second: undefined, init: value, condition, step, result: body };
  return { op: "fold", accumulator: name, ...fold, start, end };
}

function defineOptionalMap(name: string | undefined, getResult: (result: CelValue) => CelValue): MacroBody {
  return {
    isMethod: true,
    expand: (call) => {
      const [target, variable, body = target] = call.operands;
      const value = buildMethodCall(call, "value", copyNodes(target));
      const bound = buildBinding(call, getVariable(variable, call), value, body);
      const result = name === undefined ? bound : buildCall(call, name, bound);
      return buildCall(
        call,
        "_?_:_",
        buildMethodCall(call, "hasValue", target),
        result,
        buildCall(call, "optional.none"),
      );
    },
    compile: (call, environment) => {
      const [target, variable, body = target] = call.operands;
      const over = compile(target, environment);
      const [inner, slot] = addVariable(environment, getVariable(variable, call));
      const code = compile(body, inner);
      return (frame) => {
        const value = over(frame);
        if (isError(value)) return value;
        if (!isObjectValue(value) || value.kind !== "optional") return NO_OVERLOAD;
        charge(frame, 3);
        if (value.value === undefined) return OPTIONAL_NONE;
        frame.variables[slot] = value.value;
        const result = code(frame);
        return isError(result) ? result : getResult(result);
      };
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

export const OPT_MAP = defineOptionalMap("optional.of", buildOptional);
export const OPT_FLAT_MAP = defineOptionalMap(undefined, (result) => result);

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
  compile: (call, environment) => {
    const [keys, over] = [KEYS.compile(call, environment), compile(call.operands[0], environment)];
    return (frame) => {
      const list = over(frame);
      if (isError(list)) return list;
      const by = keys(frame);
      return isError(by) ? by : sortByKeys(list, by);
    };
  },
};
