import type { Overload, SignatureTable } from "../types/signatures.ts";
import type { Expr } from "../syntax/ast.ts";
import { assign } from "./assign.ts";
import { NULL_VALUE, findNamedType } from "../types/type-names.ts";
import { DYN, INT, type Type, parameterType, typeType } from "../types/types.ts";

/** Variables and their types, the innermost scope first. */
export type Scope = { readonly names: ReadonlyMap<string, Type>; readonly outer: Scope | undefined };

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
