import { ITEMS } from "../../model/needed-fields.ts";
import type { FieldPlace } from "./fields.ts";

/**
 * What is known of a value before evaluation: the places that it may come from, and what it may be built of. `isScan`: it has an item for
 * each object of a list.
 */
export type Origin = {
  readonly places: readonly FieldPlace[];
  readonly items: readonly Origin[];
  readonly members: readonly Member[];
  readonly isScan?: boolean;
  /** It may be an optional value, and so may each field that is selected from it. */
  readonly isOptional?: boolean;
  /** It went through `dyn`: its author says that it may have other fields than those that are known. */
  readonly isOpen?: boolean;
};
export type Member = { readonly name: string | undefined; readonly value: Origin };

export const NOWHERE: Origin = { places: [], items: [], members: [] };

/** The whole object of a variable. */
export function ofVariable(variable: string): Origin {
  return at({ variable, path: [] });
}

/** A map with members of these names; undefined is any name. */
export function ofMembers(...members: readonly (readonly [name: string | undefined, value: Origin])[]): Origin {
  return { ...NOWHERE, members: members.map(([name, value]) => ({ name, value })) };
}

export function ofItems(item: Origin, isScan: boolean): Origin {
  return { ...NOWHERE, items: [item], isScan };
}

export function at(...places: readonly FieldPlace[]): Origin {
  return { ...NOWHERE, places };
}

export function join(...origins: readonly Origin[]): Origin {
  return {
    places: dropRepeated(origins.flatMap(({ places }) => places)),
    items: dropRepeated(origins.flatMap(({ items }) => items)),
    members: dropRepeated(origins.flatMap(({ members }) => members)),
    isScan: origins.some(({ isScan }) => isScan),
    isOptional: origins.some(({ isOptional }) => isOptional),
    isOpen: origins.some(({ isOpen }) => isOpen),
  };
}

/** Variables that hold others again and again would have as many parts as there are ways to them. */
function dropRepeated<T>(parts: readonly T[]): readonly T[] {
  return parts.length < 2 ? parts : [...new Set(parts)];
}

/** What was selected, of which parts may be selected again. */
const selections = new WeakMap<Origin, Map<string, Origin>>();

export function selectMember(origin: Origin, name: string): Origin {
  const known = selections.get(origin) ?? new Map<string, Origin>();
  selections.set(origin, known);
  const selected = known.get(name) ?? buildSelection(origin, name);
  known.set(name, selected);
  return selected;
}

function buildSelection({ places, members, items, isOpen }: Origin, name: string): Origin {
  const built = members.filter((member) => member.name === undefined || member.name === name);
  const inner = places.map(({ variable, path }) => ({ variable, path: [...path, name] }));
  const parts = [...built.map(({ value }) => value), ...items.map((item) => selectMember(item, name))];
  return join({ ...at(...inner), isOpen }, ...parts);
}

/** An item of a list, or the value of a key. */
export function selectAny({ places, items, members, isOpen }: Origin, step = ITEMS): Origin {
  const inner = places.map(({ variable, path }) => ({ variable, path: [...path, step] }));
  return join({ ...at(...inner), isOpen }, ...items, ...members.map(({ value }) => value));
}
