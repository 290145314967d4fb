import type { FunctionImplementation, FunctionRow } from "./function-table.ts";
import { CONVERSIONS, foldCall } from "./constants.ts";
import { type CallExpr, type Expr, qualifiedName } from "../syntax/ast.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { type Activation, type Interpretable, charge, evaluateAll, isArguments } from "./activation.ts";
import { type Compile, type Environment, beginsWithVariable } from "./environment.ts";
import { NO_OVERLOAD, type CelValue, buildError, getTypeName, isList } from "../values/value.ts";
import { findListItem } from "../values/unstructured.ts";
import { DYN, type Type, isDyn } from "../types/types.ts";

/** A call of a function, a method or an operator. */
export function compileCall(expr: CallExpr, environment: Environment, compile: Compile): Interpretable {
  const { name, isMethod, args } = findCallee(expr, environment);
  const rows = environment.functions.findRows(name, isMethod, args.length);
  if (rows.length === 0) throw new CompileError(`there is no function ${name} of ${args.length} arguments`, expr);
  const codes = args.map((arg) => compile(arg, environment));
  const [operator] = rows.flatMap((row) => row.compile ?? []);
  if (operator) return foldCall(expr, name, codes, operator(...codes));
  const types = findArgumentTypes(expr, environment);
  const functions = rows.map((row) => ({ row, call: bindRow(row, codes, expr) }));
  return foldCall(expr, name, codes, (frame) => {
    const values = evaluateAll(codes, frame);
    if (!isArguments(values)) return values;
    if (types && !types.every((type, i) => holds(type, values[i] ?? null))) return NO_OVERLOAD;
    return callFunction(functions, values, frame);
  });
}

/** The implementation of a row for its constant arguments. What only an authorizer has fails when it is called. */
function bindRow(row: FunctionRow, codes: readonly Interpretable[], expr: CallExpr): FunctionImplementation {
  const special = row.specialize?.(codes.map(({ constant }) => constant));
  if (typeof special === "string") throw new CompileError(special, expr);
  return special ?? row.call ?? (() => NO_OVERLOAD);
}

/** The types of the arguments, if type-checking has left one overload: of a conversion, or one that takes lists of one plain type. */
function findArgumentTypes(expr: CallExpr, { overloads }: Environment): readonly Type[] | undefined {
  const [only, ...others] = overloads?.get(expr) ?? [];
  const isTyped =
    CONVERSIONS.has(expr.name) ||
    only?.args.some(({ kind, parameters: [element] }) => kind === "list" && isPlain(element ?? DYN));
  return isTyped && others.length === 0 ? only?.args : undefined;
}

function isPlain(type: Type): boolean {
  return !isAny(type) && type.parameters.length === 0;
}

function isAny(type: Type): boolean {
  return type.kind === "parameter" || isDyn(type);
}

/** As in cel-go, the first item of a list tells the type of all. */
function holds(type: Type, value: CelValue): boolean {
  if (isAny(type)) return true;
  if (type.name !== getTypeName(value)) return false;
  const element = type.parameters[0] ?? DYN;
  const first = isList(value) ? findListItem(value, 0) : undefined;
  return first === undefined || holds(element, first);
}

type Callee = { readonly name: string; readonly isMethod: boolean; readonly args: readonly Expr[] };

function findCallee({ name, target, args }: CallExpr, environment: Environment): Callee {
  if (target === undefined) return { name: name.replace(/^\./, ""), isMethod: false, args };
  const prefix = qualifiedName(target);
  const qualified = `${prefix?.replace(/^\./, "")}.${name}`;
  return prefix !== undefined && !beginsWithVariable(prefix, environment) && environment.functions.find(qualified)
    ? { name: qualified, isMethod: false, args }
    : { name, isMethod: true, args: [target, ...args] };
}

/** The longest text or list that a call may make. */
const MAX_TEXT_LENGTH = 50_000_000;

type BoundRow = { readonly row: FunctionRow; readonly call: FunctionImplementation };

function callFunction(functions: readonly BoundRow[], values: readonly CelValue[], frame: Activation): CelValue {
  for (const [i, { row, call }] of functions.entries()) {
    if (row.costBefore) charge(frame, row.costBefore(values));
    const result = call(values);
    if (result === NO_OVERLOAD && i + 1 < functions.length) continue;
    charge(frame, row.cost?.(values, result) ?? (row.costBefore ? 0 : 1));
    if (typeof result === "string" && result.length > MAX_TEXT_LENGTH) return buildError("the text is too long");
    return result;
  }
  return NO_OVERLOAD;
}
