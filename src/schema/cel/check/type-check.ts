import type { FunctionTable, Overload } from "../runtime/function-table.ts";
import type { Expr } from "../syntax/ast.ts";
import { assign } from "./assign.ts";
import type { Scope } from "./scope.ts";
import { DYN, type Type, parameterType } from "../types/types.ts";

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
  readonly table: FunctionTable;
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
