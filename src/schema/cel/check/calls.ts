import { type CallExpr, qualifiedName } from "../syntax/ast.ts";
import type { Overload } from "../types/signatures.ts";
import { substitute } from "./assign.ts";
import { fieldType } from "./fields.ts";
import { type TypeCheck, fits, newVariable, checkType } from "./type-check.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { BOOL, DYN, type Type, isDyn, isSameType, typeText } from "../types/types.ts";

/** The type of a call; its possible overloads are recorded. */
export function resolveCall(expr: CallExpr, check: TypeCheck): Type {
  if (expr.name === "_?._") return optionalFieldType(expr, check);
  for (const arg of expr.args) check.visit(arg, check);
  const args = expr.args.map((arg) => checkType(arg, check));
  const { target, name } = expr;
  if (target === undefined) return resolve(expr, name.replace(/^\./, ""), false, args, check);
  const prefix = qualifiedName(target)?.replace(/^\./, "");
  const qualified = prefix === undefined ? "" : `${prefix}.${name}`;
  if (check.table.find(qualified)) {
    check.functions.set(expr, qualified);
    return resolve(expr, qualified, false, args, check);
  }
  check.visit(target, check);
  return resolve(expr, name, true, [checkType(target, check), ...args], check);
}

function optionalFieldType(expr: CallExpr, check: TypeCheck): Type {
  const [operand, field] = expr.args;
  if (operand === undefined || field?.op !== "literal" || typeof field.value !== "string") {
    throw new CompileError("an optional field must be named", expr);
  }
  check.visit(operand, check);
  check.overloads.set(expr, check.table.find(expr.name) ?? []);
  return substitute(check.mapping, fieldType(expr, checkType(operand, check), field.value, true, check), false);
}

function resolve(expr: CallExpr, name: string, isMethod: boolean, args: readonly Type[], check: TypeCheck): Type {
  const declared = check.table.find(name);
  if (declared === undefined) throw new CompileError(`there is no function ${name}`, expr);
  const overloads = declared.filter((overload) => overload.isMethod === isMethod);
  if (name === "_&&_" || name === "_||_") return resolveLogical(expr, name, overloads, args, check);
  const possible: Overload[] = [];
  let result: Type | undefined;
  for (const overload of overloads) {
    const found = resolveResult(overload, args, check);
    if (found === undefined) continue;
    possible.push(overload);
    if (result === undefined) result = found;
    else if (!isDyn(result) && !isSameType(found, result, true)) result = DYN;
  }
  if (result === undefined) return noOverload(expr, name, args, check);
  check.overloads.set(expr, possible);
  return result;
}

function resolveLogical(
  expr: CallExpr,
  name: string,
  overloads: readonly Overload[],
  args: readonly Type[],
  check: TypeCheck,
): Type {
  if (args.some((arg) => !fits(check, [arg], [BOOL]))) return noOverload(expr, name, args, check);
  check.overloads.set(expr, overloads);
  return BOOL;
}

/** The result's type where the arguments fit. */
function resolveResult(overload: Overload, args: readonly Type[], check: TypeCheck): Type | undefined {
  const own = new Map(overload.parameters.map((parameter) => [parameter, newVariable(check)]));
  const parameters = own.size === 0 ? overload.args : overload.args.map((arg) => substitute(own, arg, false));
  if (args.length !== parameters.length || !fits(check, args, parameters)) return undefined;
  return substitute(check.mapping, substitute(own, overload.result, false), false);
}

function noOverload(expr: CallExpr, name: string, args: readonly Type[], check: TypeCheck): never {
  const types = args.map((arg) => typeText(substitute(check.mapping, arg, true)));
  throw new CompileError(`${operatorText(name)} does not accept (${types.join(", ")})`, expr);
}

/** "_==_" as it is written. */
function operatorText(name: string): string {
  return name === "@in" ? "in" : name.replaceAll("_", "");
}
