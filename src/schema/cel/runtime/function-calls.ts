import type {
  Activation,
  Compile,
  Environment,
  FunctionImplementation,
  FunctionRow,
  Interpretable,
} from "./environment.ts";
import { CALL_LIMITS, beginsWithVariable, charge, evaluateAll, isArguments, openActivation } from "./environment.ts";
import { type CallExpr, type Expr, qualifiedName, CompileError } from "../syntax/ast.ts";
import { READ_WORK, countWork } from "../values/meter.ts";
import {
  type CelValue,
  NO_OVERLOAD,
  buildError,
  getTypeName,
  isList,
  PanicError,
  UnsupportedError,
  isError,
  isKind,
  buildMapKey,
} from "../values/value.ts";
import { findListItem, getListValues } from "../values/unstructured.ts";
import { DYN, type Type, isDyn } from "../types/types.ts";
import { isPlainKey } from "../values/look-up.ts";

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
  const special = evaluateOrFail(expr, () => row.specialize?.(codes.map(({ constant }) => constant)));
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
  countReading(values, frame);
  const last = functions.at(-1);
  for (const bound of functions) {
    const { row, call } = bound;
    if (row.costBefore) charge(frame, row.costBefore(values, frame));
    const result = call(values, frame);
    if (result === NO_OVERLOAD && bound !== last) continue;
    charge(frame, row.cost?.(values, result, frame) ?? (row.costBefore ? 0 : 1));
    if (typeof result === "string" && result.length > MAX_TEXT_LENGTH) return buildError("the text is too long");
    return result;
  }
  return NO_OVERLOAD;
}

/** What reading a short text takes is less than what the call costs. */
const SHORT = 64;

function countReading(values: readonly CelValue[], frame: Activation): void {
  for (const value of values)
    if (typeof value === "string" && value.length > SHORT) countWork(frame, value.length * READ_WORK);
}

/** A constant costs nothing. */
export function buildConstant(constant: CelValue): Interpretable {
  return Object.assign(() => constant, { constant });
}

/** The value of an expression of which all operands are constants. Throws CompileError. */
export function evaluateConstant(expr: Expr, code: Interpretable): CelValue {
  return evaluateOrFail(expr, () => code(openActivation([], { ...CALL_LIMITS, cost: Infinity })));
}

function evaluateOrFail<T>(expr: Expr, evaluate: () => T): T {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof UnsupportedError || error instanceof PanicError)
      throw new CompileError(error.message, expr, error instanceof UnsupportedError);
    throw error;
  }
}

/** Functions that are named as types. */
const CONVERSIONS = new Set("bool bytes double dyn duration int string timestamp type uint".split(" "));

/** A call as cel-go plans it: conversions of constants are evaluated, and `in` of a constant list becomes a look-up. Throws CompileError. */
function foldCall(expr: CallExpr, name: string, codes: readonly Interpretable[], code: Interpretable): Interpretable {
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
