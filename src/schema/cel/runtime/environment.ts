import type { FunctionTable, Owner } from "../library/function-table.ts";
import type { Expr, MacroCall } from "../syntax/ast.ts";
import type { Interpretable } from "./activation.ts";

/** The expansion of a macro's calls, by which they are type-checked and their cost is estimated, and their evaluation. */
export type MacroBody = {
  readonly isMethod: boolean;
  readonly expand: (call: MacroCall) => Expr;
  readonly compile: (call: MacroCall, environment: Environment) => Interpretable;
};

export type Macro = MacroBody & {
  readonly name: string;
  /** With what it is called on. */
  readonly operandCount: number;
  /** The minor of Kubernetes that brought it. */
  readonly since: number;
  readonly owner: Owner;
};

/** What an expression can use: variables, each with its slot, functions and macros. `size` slots are taken. */
export type Environment = {
  readonly slots: ReadonlyMap<string, number>;
  readonly size: number;
  readonly functions: FunctionTable;
  readonly macros: ReadonlyMap<string, Macro>;
};

/** Adds a variable, which hides others of the same name, and returns its slot. */
export function addVariable(environment: Environment, name: string): readonly [Environment, number] {
  const { slots, size } = environment;
  return [{ ...environment, slots: new Map([...slots, [name, size]]), size: size + 1 }, size];
}
