import {
  type Expr,
  type MacroCall,
  type SelectExpr,
  type Span,
  buildCall,
  buildIdent,
  buildMethodCall,
  copyNode,
} from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { charge } from "../runtime/activation.ts";
import { compile } from "../runtime/compiler.ts";
import { type Macro, addVariable } from "../runtime/environment.ts";
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
import { defineFold } from "./fold.ts";
import { buildBinding, getArgument, getTarget, getVariable } from "./parts.ts";
import { TRANSFORM } from "./transforms.ts";

type Definition = Pick<Macro, "isMethod" | "expand" | "compile">;

export const HAS: Definition = {
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

function getSelection(call: MacroCall): SelectExpr {
  const field = getArgument(call, 0);
  if (field.op === "select") return field;
  throw new CompileError("has() takes the selection of a field", field);
}

function buildOptionalMap(
  expandResult: (at: Span, body: Expr) => Expr,
  getResult: (result: CelValue) => CelValue,
): Definition {
  return {
    isMethod: true,
    expand: (call) => {
      const [target, name] = [getTarget(call), getVariable(call, 0)];
      const value = buildMethodCall(call, "value", copyNode(target));
      const body = buildBinding(call, name, value, getArgument(call, 1));
      const none = buildCall(call, "optional.none");
      return buildCall(call, "_?_:_", buildMethodCall(call, "hasValue", target), expandResult(call, body), none);
    },
    compile: (call, environment) => {
      const over = compile(getTarget(call), environment);
      const [inner, slot] = addVariable(environment, getVariable(call, 0));
      const body = compile(getArgument(call, 1), inner);
      return (frame) => {
        const value = over(frame);
        if (isError(value)) return value;
        if (!isObjectValue(value) || value.kind !== "optional") return NO_OVERLOAD;
        charge(frame, 3);
        if (value.value === undefined) return OPTIONAL_NONE;
        frame.variables[slot] = value.value;
        const result = body(frame);
        return isError(result) ? result : getResult(result);
      };
    },
  };
}

export const OPT_MAP = buildOptionalMap((at, body) => buildCall(at, "optional.of", body), buildOptional);
export const OPT_FLAT_MAP = buildOptionalMap(
  (_, body) => body,
  (result) => result,
);

const SORTED = "@__sortBy_input__";
const KEYS = defineFold(1, TRANSFORM);

export const SORT_BY: Definition = {
  isMethod: true,
  expand: (call) => {
    const target = getTarget(call);
    if (target.op === "literal" || target.op === "map" || target.op === "struct")
      throw new CompileError("sortBy() must be called on a list", target);
    const keys = KEYS.expand({ ...call, target: buildIdent(call, SORTED) });
    const sorted = buildMethodCall(call, "@sortByAssociatedKeys", buildIdent(call, SORTED), keys);
    return buildBinding(call, SORTED, target, sorted);
  },
  compile: (call, environment) => {
    const [keys, over] = [KEYS.compile(call, environment), compile(getTarget(call), environment)];
    return (frame) => {
      const list = over(frame);
      if (isError(list)) return list;
      const by = keys(frame);
      return isError(by) ? by : sortByKeys(list, by);
    };
  },
};
