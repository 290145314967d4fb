import type { FunctionTable } from "../library/function-table.ts";

/** What an expression can see: functions, and variables, each with its slot; `size` slots are taken. */
export type VariableSlots = {
  readonly functions: FunctionTable;
  readonly slots: ReadonlyMap<string, number>;
  readonly size: number;
};

export const SELF_SLOT = 0;
export const OLD_SELF_SLOT = 1;

export const RULE_VARIABLES: Omit<VariableSlots, "functions"> = {
  slots: new Map([
    ["self", SELF_SLOT],
    ["oldSelf", OLD_SELF_SLOT],
  ]),
  size: 2,
};

/** Adds a variable, which hides others of the same name, and returns its slot. */
export function addVariable(variables: VariableSlots, name: string): readonly [VariableSlots, number] {
  return [
    { ...variables, slots: new Map([...variables.slots, [name, variables.size]]), size: variables.size + 1 },
    variables.size,
  ];
}
