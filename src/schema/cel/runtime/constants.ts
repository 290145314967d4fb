import type { Expr } from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import type { Interpretable } from "./activation.ts";
import { type CelValue, PanicError, UnsupportedError } from "../values/value.ts";

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
