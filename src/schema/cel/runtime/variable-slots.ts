/** The variables that an expression can see, each with its slot; `size` slots are taken. */
export type VariableSlots = { readonly slots: ReadonlyMap<string, number>; readonly size: number };

export const SELF_SLOT = 0;
export const OLD_SELF_SLOT = 1;

export const RULE_VARIABLES: VariableSlots = {
  slots: new Map([
    ["self", SELF_SLOT],
    ["oldSelf", OLD_SELF_SLOT],
  ]),
  size: 2,
};

/** Adds a variable, which hides others of the same name, and returns its slot. */
export function addVariable(variables: VariableSlots, name: string): readonly [VariableSlots, number] {
  return [{ slots: new Map([...variables.slots, [name, variables.size]]), size: variables.size + 1 }, variables.size];
}
