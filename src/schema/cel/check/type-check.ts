import type { Overload, SignatureTable } from "../types/signatures.ts";
import { type Expr, type Span, CompileError } from "../syntax/ast.ts";
import type { Type, ValueType } from "../types/types.ts";
import {
  NULL_VALUE,
  findNamedType,
  DYN,
  INT,
  parameterType,
  typeType,
  ANY,
  NULL,
  isDyn,
  isDynOrError,
  isSameType,
  optionalType,
  typeText,
  unwrapped,
} from "../types/types.ts";
import { escapeName } from "../values/text.ts";

/** Variables and their types, the innermost scope first. */
type Scope = { readonly names: ReadonlyMap<string, Type>; readonly outer: Scope | undefined };

export function openScope(outer: Scope | undefined, names: readonly (readonly [string, Type])[]): Scope {
  return { names: new Map(names), outer };
}

/** The type of a variable or of a type name; a leading dot marks a global name. */
export function typeOfName(scope: Scope | undefined, name: string): Type | undefined {
  const plain = name.startsWith(".") ? name.slice(1) : name;
  for (let here = scope; here !== undefined; here = here.outer) {
    const type = here.names.get(plain);
    if (type) return type;
  }
  const type = findNamedType(plain);
  if (type) return typeType(type);
  return plain === NULL_VALUE ? INT : undefined;
}

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

/** A check under way; `visit` types a node, which `typeOf` then gives. */
export type TypeCheck = {
  readonly visit: (expr: Expr, check: TypeCheck) => void;
  readonly table: SignatureTable;
  readonly types: Map<Expr, Type>;
  readonly overloads: Map<Expr, readonly Overload[]>;
  readonly names: Map<Expr, string>;
  readonly functions: Map<Expr, string>;
  readonly mapping: Map<string, Type>;
  variables: number;
  scope: Scope | undefined;
};

export function checkType(expr: Expr, check: TypeCheck): Type {
  return check.types.get(expr) ?? DYN;
}

export function newVariable(check: TypeCheck): Type {
  return parameterType(`_${check.variables++}`);
}

/** Do the second types fit the first? Remembers what parameters stand for then. */
export function fits(check: TypeCheck, to: readonly Type[], from: readonly Type[]): boolean {
  return assign(check.mapping, to, from);
}

/** The types that are bound to type parameters so far. */
type Mapping = Pick<ReadonlyMap<string, Type>, "get">;

/** Bindings under trial: those of before are kept as they are. */
type Trial = Mapping & { readonly set: (name: string, type: Type) => void };

/** Are the second types assignable to the first, one by one? Keeps the bindings that make them so. */
function assign(mapping: Map<string, Type>, to: readonly Type[], from: readonly Type[]): boolean {
  const own = new Map<string, Type>();
  const trial: Trial = {
    get: (name) => own.get(name) ?? mapping.get(name),
    set: (name, type) => void own.set(name, type),
  };
  if (!areAssignable(trial, to, from)) return false;
  for (const [name, type] of own) mapping.set(name, type);
  return true;
}

function areAssignable(mapping: Trial, to: readonly Type[], from: readonly Type[]): boolean {
  return to.length === from.length && to.every((type, i) => isAssignable(mapping, type, from[i] ?? DYN));
}

function isAssignable(mapping: Trial, to: Type, from: Type): boolean {
  if (from.kind === "parameter") {
    const found = substitutes(mapping, to, from);
    if (found === "yes") return true;
    if (found === "bound") return false;
  }
  if (to.kind === "parameter") return substitutes(mapping, from, to) === "yes";
  if (isDynOrError(to) || isDynOrError(from)) return true;
  if (to.kind === "null") return isNullable(from);
  if (from.kind === "null") return isNullable(to);
  if (to.kind === "type") return from.kind === "type";
  if (to.kind === "list" || to.kind === "map" || to.kind === "opaque") {
    return to.kind === from.kind && to.name === from.name && areAssignable(mapping, to.parameters, from.parameters);
  }
  return accepts(from, to);
}

/** Is the second type assignable to the first, whatever the parameters are bound to? */
function accepts(type: Type, other: Type): boolean {
  if (type === other || isDyn(type) || type.kind === "parameter") return true;
  if (type.isWrapper && other.kind === "null") return true;
  return (
    type.kind === other.kind &&
    type.name === other.name &&
    type.parameters.length === other.parameters.length &&
    type.parameters.every((parameter, i) => accepts(parameter, other.parameters[i] ?? ANY))
  );
}

function isNullable(type: Type): boolean {
  return ["opaque", "struct", "any", "duration", "timestamp"].includes(type.kind) || accepts(type, NULL);
}

/** Can the parameter be bound to the type? `bound`: its current binding. */
function substitutes(mapping: Trial, type: Type, parameter: Type): "yes" | "no" | "bound" {
  if (isSameType(type, parameter, true)) return "yes";
  const known = mapping.get(parameter.name);
  if (known) {
    if (isSameType(type, known, true)) return "yes";
    if (!isAssignable(mapping, type, known)) return "bound";
    const general = mostGeneral(type, known);
    if (isFreeOf(mapping, parameter, general)) mapping.set(parameter.name, general);
    return "yes";
  }
  if (!isFreeOf(mapping, parameter, type)) return "no";
  mapping.set(parameter.name, type);
  return "yes";
}

export function mostGeneral(a: Type, b: Type): Type {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === "parameter") return true;
  if (isDyn(b) || b.kind === "parameter" || a.kind !== b.kind) return false;
  if (a.kind === "type") return true;
  if (a.kind !== "opaque" && a.kind !== "list" && a.kind !== "map") return isSameType(a, b, true);
  return (
    a.name === b.name &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((parameter, i) => isLessSpecific(parameter, b.parameters[i] ?? DYN))
  );
}

function isFreeOf(mapping: Mapping, parameter: Type, type: Type): boolean {
  if (isSameType(parameter, type, true)) return false;
  if (type.kind !== "parameter") return type.parameters.every((inner) => isFreeOf(mapping, parameter, inner));
  const known = mapping.get(type.name);
  return known === undefined || isFreeOf(mapping, parameter, known);
}

/** The type with its parameters replaced; unbound ones become dyn if requested. */
export function substitute(mapping: Mapping, type: Type, toDyn: boolean): Type {
  if (type.kind === "parameter") {
    const known = mapping.get(type.name);
    if (known) return substitute(mapping, known, toDyn);
    return toDyn ? DYN : type;
  }
  if (type.parameters.length === 0) return type;
  const parameters = type.parameters.map((inner) => substitute(mapping, inner, toDyn));
  return parameters.every((inner, i) => inner === type.parameters[i]) ? type : { ...type, parameters };
}

/** A value of a type that lacks the field. */
export class UnknownFieldError extends CompileError {
  readonly of: Type;

  constructor(field: string, of: Type, at: Span) {
    super(`there is no field ${field}`, at);
    this.of = of;
  }
}

/** A field of an optional value is optional, and so is one that is selected as optional. */
export function fieldType(at: Span, operand: Type, field: string, isOptional: boolean, check: TypeCheck): Type {
  const known = substitute(check.mapping, operand, false);
  const inner = unwrapped(known);
  const result = plainFieldType(at, inner ?? known, field, check);
  return inner || isOptional ? optionalType(result) : result;
}

function plainFieldType(at: Span, type: Type, field: string, check: TypeCheck): Type {
  if (type.kind === "map") return type.parameters[1] ?? DYN;
  if (type.kind === "struct") {
    const found = type.fields?.get(field) ?? keywordField(type, field);
    if (found) return found.type;
    throw new UnknownFieldError(field, type, at);
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
