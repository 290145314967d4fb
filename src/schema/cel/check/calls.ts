import { type CallExpr, type Expr, qualifiedName, CompileError } from "../syntax/ast.ts";
import type { Overload } from "../types/signatures.ts";
import { type TypeCheck, type Checked, substitute, fieldType, fits, newVariable, checkType } from "./type-check.ts";
import { type Type, type TypeKind, BOOL, DYN, isDyn, isSameType, typeText } from "../types/types.ts";
import { listClauses } from "../values/text-formatting.ts";

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

const NUMBERS = ["int", "uint"] as const;
const PLAIN = ["bool", "bytes", "double", "duration", "list", "map", "null", "string", "timestamp", "type"] as const;

/** What each verb formats. A text may stand for a double, since "NaN" does. Source: cel-go's ext.Strings, version 2. */
const FORMATTED: ReadonlyMap<string, readonly TypeKind[]> = new Map<string, readonly TypeKind[]>([
  ["s", [...PLAIN, ...NUMBERS]],
  ["d", NUMBERS],
  ["o", NUMBERS],
  ["b", [...NUMBERS, "bool"]],
  ["x", [...NUMBERS, "string", "bytes"]],
  ["X", [...NUMBERS, "string", "bytes"]],
  ["f", ["double", "string"]],
  ["e", ["double", "string"]],
]);

/** Refuses `'...'.format([...])` with a verb that does not exist or can't format its argument, and with too few or too many arguments. */
export function requireFormat({ name, target, args }: CallExpr, checked: Checked): void {
  const [list] = args;
  if (name !== "format" || target?.op !== "literal" || typeof target.value !== "string" || list?.op !== "list") return;
  const clauses = listClauses(target.value);
  for (const [i, verb] of clauses.entries()) {
    const item = list.items[i];
    if (item === undefined) throw new CompileError(`format() lacks a value for its ${i + 1}. verb`, list);
    requireVerb(verb, item, checked);
  }
  if (list.items.length > clauses.length)
    throw new CompileError(`format() has ${list.items.length} values for ${clauses.length} verbs`, list);
}

function requireVerb(verb: string | undefined, item: Expr, checked: Checked): void {
  const kinds = FORMATTED.get(verb ?? "");
  if (kinds === undefined) throw new CompileError("format() has a verb that does not exist", item);
  const type = checked.types.get(item) ?? DYN;
  if (type.kind !== "dyn" && !kinds.includes(type.kind))
    throw new CompileError(`%${verb} of format() can't format a value of type ${typeText(type)}`, item);
  if (verb !== "s") return;
  for (const part of listParts(item)) requireVerb(verb, part, checked);
}

function listParts(item: Expr): readonly Expr[] {
  if (item.op === "list") return item.items;
  return item.op === "map" ? item.entries.flatMap(({ key, value }) => [key, value]) : [];
}
