import { NULL_VALUE, isTypeName } from "../types/type-names.ts";
import { type Expr, qualifiedName } from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import type { Interpretable } from "./activation.ts";
import { compileAttribute, isAttribute } from "./attributes.ts";
import { compileList, compileMap, compileStruct } from "./collections.ts";
import { buildConstant } from "./constants.ts";
import type { Environment } from "./environment.ts";
import { compileFold } from "./folds.ts";
import { compileCall } from "./function-calls.ts";

/** Compiles an expression to a function of its variables. Throws CompileError. */
export function compile(expr: Expr, environment: Environment): Interpretable {
  if (isAttribute(expr, environment)) return compileAttribute(expr, environment, compile);
  switch (expr.op) {
    case "literal":
      return buildConstant(expr.value);
    case "ident":
      return compileName(expr, expr.name);
    case "select":
      return compileName(expr, qualifiedName(expr) ?? expr.field);
    case "call":
      return compileCall(expr, environment, compile);
    case "list":
      return compileList(expr, environment, compile);
    case "map":
      return compileMap(expr, environment, compile);
    case "fold":
      return compileFold(expr, environment, compile);
    case "struct":
      return compileStruct(expr, environment, compile);
  }
}

function compileName(expr: Expr, written: string): Interpretable {
  const name = written.replace(/^\./, "");
  if (name === NULL_VALUE) return buildConstant(0n);
  if (isTypeName(name)) return buildConstant({ kind: "type", name });
  throw new CompileError(`the name ${written} is not declared`, expr);
}
