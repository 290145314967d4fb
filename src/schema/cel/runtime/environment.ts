import type { Interpretable } from "./activation.ts";
import type { Overload } from "../types/signatures.ts";
import type { Expr } from "../syntax/ast.ts";
import type { FunctionTable } from "./function-table.ts";

/** What an expression can use: variables, each with its slot, and functions. `size` slots are taken. */
export type Environment = {
  readonly slots: ReadonlyMap<string, number>;
  readonly size: number;
  readonly functions: FunctionTable;
  /** Of each call the overloads that type-checking has left, if it has been checked. */
  readonly overloads?: ReadonlyMap<Expr, readonly Overload[]> | undefined;
};

/** Adds a variable, which hides others of the same name, and returns its slot. */
export function addVariable(environment: Environment, name: string): readonly [Environment, number] {
  const { slots, size } = environment;
  return [{ ...environment, slots: new Map([...slots, [name, size]]), size: size + 1 }, size];
}

/** Does "a.b.c" begin with a variable? */
export function beginsWithVariable(name: string, { slots }: Environment): boolean {
  return slots.has(/^\.?([^.]*)/.exec(name)?.[1] ?? "");
}

/** Compiles a part of an expression. Throws CompileError. */
export type Compile = (expr: Expr, environment: Environment) => Interpretable;
