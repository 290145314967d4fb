import type { SignatureTable } from "../types/signatures.ts";
import { type Type, TYPES, BOOL, DYN, isDyn, listType, mapType, typeText, unwrapped, INT } from "../types/types.ts";
import { findMessage, findMessageField } from "../types/messages.ts";
import { getTypeName } from "../values/value.ts";
import type { Expr, ListExpr, MapExpr, SelectExpr, StructExpr, FoldExpr } from "../syntax/ast.ts";
import { qualifiedName, CompileError } from "../syntax/ast.ts";
import type { Checked, TypeCheck } from "./type-check.ts";
import {
  mostGeneral,
  substitute,
  fieldType,
  checkType,
  fits,
  newVariable,
  openScope,
  typeOfName,
} from "./type-check.ts";
import { resolveCall } from "./calls.ts";

/** Types every node as cel-go's checker does. Throws CompileError at the first thing that doesn't fit. */
export function checkExpression(
  expr: Expr,
  variables: readonly (readonly [string, Type])[],
  table: SignatureTable,
): Checked {
  const check: TypeCheck = {
    visit: checkNode,
    table,
    types: new Map(),
    overloads: new Map(),
    names: new Map(),
    functions: new Map(),
    mapping: new Map(),
    variables: 0,
    scope: openScope(undefined, variables),
  };
  checkNode(expr, check);
  for (const [node, type] of check.types) check.types.set(node, substitute(check.mapping, type, true));
  return { expr, ...check };
}

function checkNode(expr: Expr, check: TypeCheck): void {
  check.types.set(expr, nodeType(expr, check));
}

function nodeType(expr: Expr, check: TypeCheck): Type {
  switch (expr.op) {
    case "literal":
      return TYPES.get(getTypeName(expr.value)) ?? DYN;
    case "ident":
      return nameType(expr, expr.name, check) ?? unknownName(expr, expr.name);
    case "select":
      return selectType(expr, check);
    case "call":
      return resolveCall(expr, check);
    case "list":
      return checkList(expr, check);
    case "map":
      return checkMap(expr, check);
    case "struct":
      return checkStruct(expr, check);
    case "fold":
      return foldType(expr, check);
  }
}

function nameType(expr: Expr, name: string, check: TypeCheck): Type | undefined {
  const type = typeOfName(check.scope, name);
  if (type) check.names.set(expr, name.replace(/^\./, ""));
  return type;
}

function unknownName(expr: Expr, name: string): never {
  throw new CompileError(`the name ${name} is not declared`, expr);
}

function checkStruct(expr: StructExpr, check: TypeCheck): Type {
  const named = typeOfName(check.scope, expr.name);
  const [type] = named?.parameters ?? [];
  const message = findMessage(expr.name);
  if (named === undefined) return unknownName(expr, expr.name);
  if (type === undefined || message === undefined) throw new CompileError(`${expr.name} is not a message`, expr);
  for (const { name, value, isOptional } of expr.fields) {
    const field = findMessageField(message, name);
    if (field === undefined) throw new CompileError(`there is no field ${name}`, value);
    const given = elementType(value, isOptional, check);
    if (!fits(check, [field.type], [given]))
      throw new CompileError(`a value of type ${typeText(given)} does not fit the field ${name}`, value);
  }
  return type;
}

function selectType(expr: SelectExpr, check: TypeCheck): Type {
  const qualified = expr.isTest ? undefined : qualifiedName(expr);
  const named = qualified === undefined ? undefined : nameType(expr, qualified, check);
  if (named) return named;
  checkNode(expr.operand, check);
  const type = fieldType(expr, checkType(expr.operand, check), expr.field, false, check);
  return expr.isTest ? BOOL : substitute(check.mapping, type, false);
}

/** The type of both. Mixed elements are refused later, since they are allowed in what is formatted. */
function joinTypes(previous: Type | undefined, current: Type, check: TypeCheck): Type {
  if (previous === undefined) return current;
  return fits(check, [previous], [current]) ? mostGeneral(previous, current) : DYN;
}

function elementType(expr: Expr, isOptional: boolean, check: TypeCheck): Type {
  checkNode(expr, check);
  const type = checkType(expr, check);
  if (!isOptional) return type;
  const inner = unwrapped(type);
  if (inner === undefined && !isDyn(type)) {
    throw new CompileError(`a value of type ${typeText(type)} is not optional, as is expected`, expr);
  }
  return inner ?? type;
}

function checkList({ items, optional }: ListExpr, check: TypeCheck): Type {
  let type: Type | undefined;
  for (const [i, item] of items.entries()) type = joinTypes(type, elementType(item, optional.has(i), check), check);
  return listType(type ?? newVariable(check));
}

function checkMap({ entries }: MapExpr, check: TypeCheck): Type {
  let key: Type | undefined;
  let value: Type | undefined;
  for (const entry of entries) {
    key = joinTypes(key, elementType(entry.key, false, check), check);
    value = joinTypes(value, elementType(entry.value, entry.isOptional, check), check);
  }
  return mapType(key ?? newVariable(check), value ?? newVariable(check));
}

/** The type of an expanded macro. */
function foldType(expr: FoldExpr, check: TypeCheck): Type {
  check.visit(expr.range, check);
  check.visit(expr.init, check);
  const range = substitute(check.mapping, checkType(expr.range, check), false);
  const accumulated = checkType(expr.init, check);
  const outer = check.scope;
  const around = openScope(outer, [[expr.accumulator, accumulated]]);
  check.scope = openScope(around, variableTypes(expr, range, check));
  check.visit(expr.condition, check);
  requireType(expr.condition, BOOL, check);
  check.visit(expr.step, check);
  requireType(expr.step, accumulated, check);
  check.scope = around;
  check.visit(expr.result, check);
  check.scope = outer;
  return substitute(check.mapping, checkType(expr.result, check), false);
}

function requireType(expr: Expr, type: Type, check: TypeCheck): void {
  if (fits(check, [type], [checkType(expr, check)])) return;
  const found = typeText(substitute(check.mapping, checkType(expr, check), true));
  const expected = typeText(substitute(check.mapping, type, true));
  throw new CompileError(`a value of type ${found} does not match the expected type ${expected}`, expr);
}

function variableTypes(
  { variable, second, range: expr }: FoldExpr,
  range: Type,
  check: TypeCheck,
): readonly (readonly [string, Type])[] {
  const [key, value] = rangeTypes(expr, range, check);
  if (second === undefined) return [[variable, range.kind === "list" ? value : key]];
  return [
    [variable, key],
    [second, value],
  ];
}

/** The types of keys (or places in a list) and values. */
function rangeTypes(expr: Expr, range: Type, check: TypeCheck): readonly [Type, Type] {
  const [first = DYN, second = DYN] = range.parameters;
  if (range.kind === "list") return [INT, first];
  if (range.kind === "map") return [first, second];
  if (["dyn", "error", "parameter"].includes(range.kind)) {
    fits(check, [DYN], [range]);
    return [DYN, DYN];
  }
  throw new CompileError(`a value of type ${typeText(range)} has no elements`, expr);
}
