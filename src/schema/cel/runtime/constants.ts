import type { Expr, CallExpr } from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import type { Interpretable } from "./activation.ts";
import { type CelValue, PanicError, UnsupportedError, isError, isKind, isList } from "../values/value.ts";
import { isPlainKey } from "./selection.ts";
import { buildMapKey } from "../values/map-key.ts";
import { getListValues } from "../values/unstructured.ts";

/** A constant costs nothing. */
export function buildConstant(constant: CelValue): Interpretable {
  return Object.assign(() => constant, { constant });
}

/** The value of an expression of which all operands are constants. Throws CompileError. */
export function evaluateConstant(expr: Expr, code: Interpretable): CelValue {
  try {
    return code({ variables: [], spent: 0, costLimit: Infinity });
  } catch (error) {
    if (error instanceof UnsupportedError || error instanceof PanicError)
      throw new CompileError(error.message, expr, error instanceof UnsupportedError);
    throw error;
  }
}

/** Functions that are named as types. */
export const CONVERSIONS = new Set("bool bytes double dyn duration int string timestamp type uint".split(" "));

/** A call as cel-go plans it: conversions of constants are evaluated, and `in` of a constant list becomes a look-up. Throws CompileError. */
export function foldCall(
  expr: CallExpr,
  name: string,
  codes: readonly Interpretable[],
  code: Interpretable,
): Interpretable {
  const [first, second] = codes;
  if (CONVERSIONS.has(name) && codes.length === 1 && first?.constant !== undefined) return convert(expr, code);
  const isWritten = name === "@in" && expr.args[1]?.op === "list";
  if (!isWritten || first === undefined || second?.constant === undefined) return code;
  return findMembership(expr, first, second.constant, code);
}

function convert(expr: CallExpr, code: Interpretable): Interpretable {
  const value = evaluateConstant(expr, code);
  if (!isError(value)) return buildConstant(value);
  throw new CompileError(`${expr.name}() can't convert a constant: ${value.text}`, expr);
}

/** The list's items are compared as keys of a map are, unless one of them is no plain value. */
function findMembership(expr: Expr, item: Interpretable, list: CelValue, code: Interpretable): Interpretable {
  if (!isList(list)) throw new CompileError("an element that is not optional is declared as optional", expr);
  const values = getListValues(list);
  if (values.length === 0) return buildConstant(false);
  if (!values.every((value) => value !== null && isPlainKey(value))) return code;
  const keys = new Set(values.flatMap(listKeys));
  return (frame) => {
    const value = item(frame);
    return isError(value) ? value : keys.has(buildMapKey(value));
  };
}

/** A number is also found by the other numbers that it converts to. */
function listKeys(value: CelValue): readonly (string | object)[] {
  const own = buildMapKey(value);
  if (typeof value === "number")
    return Number.isInteger(value) ? [own, `i${BigInt(value)}`, `u${BigInt(value)}`] : [own];
  const whole = isKind(value, "uint") ? value.value : value;
  return typeof whole === "bigint" ? [`i${whole}`, `u${whole}`, `d${Number(whole)}`] : [own];
}
