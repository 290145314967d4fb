import { type CallExpr, type Expr, qualifiedName } from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { type Activation, type Interpretable, charge, evaluateAll, isArguments } from "./activation.ts";
import { beginsWithVariable, compile, getLiteralValue } from "./compiler.ts";
import type { Environment } from "./environment.ts";
import { GLOBAL_FUNCTIONS, MEMBER_FUNCTIONS, type CelFunction } from "./function-table.ts";
import { NO_OVERLOAD, type CelValue, buildError, isError, isObjectValue } from "./values/value.ts";

/** A call of a function or method. */
export function compileFunction(expr: CallExpr, environment: Environment): Interpretable {
  const { name, target, args } = expr;
  if (target === undefined)
    return compileArguments(expr, GLOBAL_FUNCTIONS.get(name.replace(/^\./, "")), args, environment);
  const prefix = qualifiedName(target);
  if (prefix !== undefined && !beginsWithVariable(prefix, environment)) {
    const fn = GLOBAL_FUNCTIONS.get(`${prefix.replace(/^\./, "")}.${name}`);
    if (fn !== undefined) return compileArguments(expr, fn, args, environment);
  }
  const [other] = args;
  if ((name === "or" || name === "orValue") && args.length === 1 && other !== undefined)
    return compileOrElse(name === "or", compile(target, environment), compile(other, environment));
  return compileArguments(expr, MEMBER_FUNCTIONS.get(name), [target, ...args], environment);
}

/** The other side is only evaluated if there is no value. */
function compileOrElse(keepsOptional: boolean, over: Interpretable, other: Interpretable): Interpretable {
  return (frame) => {
    const value = over(frame);
    if (isError(value)) return value;
    if (!isObjectValue(value) || value.kind !== "optional") return NO_OVERLOAD;
    charge(frame, 1);
    if (value.value === undefined) return other(frame);
    return keepsOptional ? value : value.value;
  };
}

function compileArguments(
  expr: CallExpr,
  fn: CelFunction | undefined,
  args: readonly Expr[],
  environment: Environment,
): Interpretable {
  if (!fn || args.length < fn.min || args.length > fn.max) {
    throw new CompileError(`there is no function ${expr.name} of ${args.length} arguments`, expr);
  }
  const constants = args.map((arg) => (arg.op === "literal" ? getLiteralValue(arg.literal) : undefined));
  const [codes, implementation] = [args.map((arg) => compile(arg, environment)), fn.specialize?.(constants) ?? fn.call];
  return (frame) => {
    const values = evaluateAll(codes, frame);
    return isArguments(values) ? callFunction(fn, implementation, values, frame) : values;
  };
}

/** The longest text or list that a call may make. */
const MAX_TEXT_LENGTH = 50_000_000;

function callFunction(
  fn: CelFunction,
  implementation: CelFunction["call"],
  values: readonly CelValue[],
  frame: Activation,
): CelValue {
  if (fn.costBefore) charge(frame, fn.costBefore(values));
  const result = implementation(values);
  charge(frame, fn.cost?.(values, result) ?? 1);
  if (typeof result === "string" && result.length > MAX_TEXT_LENGTH) return buildError("the text is too long");
  return result;
}
