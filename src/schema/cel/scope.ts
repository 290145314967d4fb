/** The variables that an expression can see, each with its slot; `size` slots are taken. */
export type Names = { readonly slots: ReadonlyMap<string, number>; readonly size: number };

export const SELF = 0;
export const OLD_SELF = 1;

export const RULE_NAMES: Names = {
  slots: new Map([
    ["self", SELF],
    ["oldSelf", OLD_SELF],
  ]),
  size: 2,
};

/** With one more variable, which hides others of its name, and its slot. */
export function withName(names: Names, name: string): readonly [Names, number] {
  return [{ slots: new Map([...names.slots, [name, names.size]]), size: names.size + 1 }, names.size];
}
