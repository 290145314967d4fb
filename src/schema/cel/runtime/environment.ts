import type { FunctionTable } from "../library/function-table.ts";

/** What an expression can use: variables, each with its slot, and functions. `size` slots are taken. */
export type Environment = {
  readonly slots: ReadonlyMap<string, number>;
  readonly size: number;
  readonly functions: FunctionTable;
};

/** Adds a variable, which hides others of the same name, and returns its slot. */
export function addVariable(environment: Environment, name: string): readonly [Environment, number] {
  const { slots, size } = environment;
  return [{ ...environment, slots: new Map([...slots, [name, size]]), size: size + 1 }, size];
}
