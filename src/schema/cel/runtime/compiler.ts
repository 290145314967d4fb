import { NULL_VALUE, isTypeName } from "../check/scope.ts";
import { type Expr, type SelectExpr, qualifiedName } from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { type Interpretable, charge } from "./activation.ts";
import { buildConstant } from "./constants.ts";
import { compileList, compileMap, compileStruct } from "./collections.ts";
import { type Environment, beginsWithVariable } from "./environment.ts";
import { compileFold } from "./folds.ts";
import { compileCall } from "./function-calls.ts";
import { hasField, selectField } from "./selection.ts";
import { isError } from "./values/value.ts";

/** Compiles an expression to a function of its variables. Throws CompileError. */
export function compile(expr: Expr, environment: Environment): Interpretable {
  switch (expr.op) {
    case "literal":
      return buildConstant(expr.value);
    case "ident":
      return compileName(expr, expr.name, environment);
    case "select":
      return compileSelection(expr, environment);
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

function compileName(expr: Expr, written: string, { slots }: Environment): Interpretable {
  const name = written.replace(/^\./, "");
  const slot = slots.get(name);
  if (slot !== undefined) {
    return (frame) => {
      charge(frame, 1);
      return frame.variables[slot] ?? null;
    };
  }
  if (name === NULL_VALUE) return buildConstant(0n);
  if (isTypeName(name)) return buildConstant({ kind: "type", name });
  throw new CompileError(`the name ${written} is not declared`, expr);
}

function compileSelection(expr: SelectExpr, environment: Environment): Interpretable {
  const name = qualifiedName(expr);
  if (name !== undefined && !beginsWithVariable(name, environment)) return compileName(expr, name, environment);
  const operand = compile(expr.operand, environment);
  return (frame) => {
    const value = operand(frame);
    if (isError(value)) return value;
    if (expr.isTest) return hasField(value, expr.field);
    charge(frame, 1);
    return selectField(value, expr.field);
  };
}
