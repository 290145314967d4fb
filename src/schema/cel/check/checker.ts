import type { FunctionTable, Overload } from "../library/function-table.ts";
import { escapeName } from "../runtime/values/escaping.ts";
import { getTypeName } from "../runtime/values/value.ts";
import {
  type Expr,
  type ListExpr,
  type MapExpr,
  type SelectExpr,
  type Span,
  type StructExpr,
  qualifiedName,
} from "../syntax/ast.ts";
import { assign, mostGeneral, substitute } from "./assign.ts";
import { resolveCall } from "./calls.ts";
import { foldType } from "./folds.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { type Scope, TYPES, openScope, typeOfName } from "./scope.ts";
import {
  BOOL,
  DYN,
  type Type,
  isDyn,
  isDynOrError,
  listType,
  mapType,
  optionalType,
  parameterType,
  typeText,
  unwrapped,
} from "./types.ts";
import type { ValueType } from "./value-type.ts";

/** The results of type-checking: each node's type, the possible overloads of calls, and the names that nodes refer to. */
export type Checked = {
  readonly expr: Expr;
  readonly types: ReadonlyMap<Expr, Type>;
  readonly overloads: ReadonlyMap<Expr, readonly Overload[]>;
  /** Of nodes that are names: the name, dots included. */
  readonly names: ReadonlyMap<Expr, string>;
  /** For calls like a.b.f(): the function's qualified name, so that a.b is not a receiver. */
  readonly functions: ReadonlyMap<Expr, string>;
};

/** A check under way. */
export type Check = {
  readonly table: FunctionTable;
  readonly types: Map<Expr, Type>;
  readonly overloads: Map<Expr, readonly Overload[]>;
  readonly names: Map<Expr, string>;
  readonly functions: Map<Expr, string>;
  readonly mapping: Map<string, Type>;
  variables: number;
  scope: Scope | undefined;
};

/** Types every node as cel-go's checker does. Throws CompileError at the first thing that doesn't fit. */
export function checkExpression(
  expr: Expr,
  variables: readonly (readonly [string, Type])[],
  table: FunctionTable,
): Checked {
  const check: Check = {
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

export function checkType(expr: Expr, check: Check): Type {
  return check.types.get(expr) ?? DYN;
}

export function newVariable(check: Check): Type {
  return parameterType(`_${check.variables++}`);
}

/** Do the second types fit the first? Remembers what parameters stand for then. */
export function fits(check: Check, to: readonly Type[], from: readonly Type[]): boolean {
  return assign(check.mapping, to, from);
}

export function checkNode(expr: Expr, check: Check): void {
  check.types.set(expr, nodeType(expr, check));
}

function nodeType(expr: Expr, check: Check): Type {
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

function nameType(expr: Expr, name: string, check: Check): Type | undefined {
  const type = typeOfName(check.scope, name);
  if (type) check.names.set(expr, name.replace(/^\./, ""));
  return type;
}

function unknownName(expr: Expr, name: string): never {
  throw new CompileError(`the name ${name} is not declared`, expr);
}

function checkStruct(expr: StructExpr, check: Check): never {
  const type = typeOfName(check.scope, expr.name);
  if (type === undefined) return unknownName(expr, expr.name);
  throw new CompileError(`it constructs a ${expr.name} message`, expr, true);
}

function selectType(expr: SelectExpr, check: Check): Type {
  const qualified = expr.isTest ? undefined : qualifiedName(expr);
  const named = qualified === undefined ? undefined : nameType(expr, qualified, check);
  if (named) return named;
  checkNode(expr.operand, check);
  const type = fieldType(expr, checkType(expr.operand, check), expr.field, false, check);
  return expr.isTest ? BOOL : substitute(check.mapping, type, false);
}

/** A field of an optional value is optional, and so is one that is selected as optional. */
export function fieldType(at: Span, operand: Type, field: string, isOptional: boolean, check: Check): Type {
  const known = substitute(check.mapping, operand, false);
  const inner = unwrapped(known);
  const result = plainFieldType(at, inner ?? known, field, check);
  return inner || isOptional ? optionalType(result) : result;
}

function plainFieldType(at: Span, type: Type, field: string, check: Check): Type {
  if (type.kind === "map") return type.parameters[1] ?? DYN;
  if (type.kind === "struct") {
    const found = type.fields?.get(field) ?? keywordField(type, field);
    if (found) return found.type;
    throw new CompileError(`there is no field ${field}`, at);
  }
  if (type.kind === "parameter") {
    fits(check, [DYN], [type]);
    return DYN;
  }
  if (isDynOrError(type)) return DYN;
  throw new CompileError(`a value of type ${typeText(type)} has no field ${field}`, at);
}

/** A field whose name is a keyword can also be selected without escaping. */
function keywordField({ fields }: Type, field: string): ValueType | undefined {
  const name = `__${field}__`;
  return escapeName(field) === name ? fields?.get(name) : undefined;
}

/** The type of both; elements of a list or a map must be of one. */
function joinTypes(expr: Expr, previous: Type | undefined, current: Type, check: Check): Type {
  if (previous === undefined) return current;
  if (fits(check, [previous], [current])) return mostGeneral(previous, current);
  const found = typeText(current);
  throw new CompileError(`a value of type ${found} does not match the expected type ${typeText(previous)}`, expr);
}

function elementType(expr: Expr, isOptional: boolean, check: Check): Type {
  checkNode(expr, check);
  const type = checkType(expr, check);
  if (!isOptional) return type;
  const inner = unwrapped(type);
  if (inner === undefined && !isDyn(type)) {
    throw new CompileError(`a value of type ${typeText(type)} is not optional, as is expected`, expr);
  }
  return inner ?? type;
}

function checkList({ items, optional }: ListExpr, check: Check): Type {
  let type: Type | undefined;
  for (const [i, item] of items.entries())
    type = joinTypes(item, type, elementType(item, optional.has(i), check), check);
  return listType(type ?? newVariable(check));
}

function checkMap({ entries }: MapExpr, check: Check): Type {
  let key: Type | undefined;
  let value: Type | undefined;
  for (const entry of entries) {
    key = joinTypes(entry.key, key, elementType(entry.key, false, check), check);
    value = joinTypes(entry.value, value, elementType(entry.value, entry.isOptional, check), check);
  }
  return mapType(key ?? newVariable(check), value ?? newVariable(check));
}
