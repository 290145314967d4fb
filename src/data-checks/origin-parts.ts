import type { Span } from "../schema/cel/index.ts";
import { ITEMS, type FieldPlace, type UsedPlace } from "./fields.ts";

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

/** What an expression is traced in. `isInScan`: it is evaluated for each object of a list already. */
export type Trace = {
  readonly names: ReadonlyMap<string, Origin>;
  readonly use: (place: UsedPlace) => void;
  readonly isInScan?: boolean;
  /** Called for a scan within a scan. */
  readonly onNestedScan?: (at: Span) => void;
  /** Called for each part of an object that must be there, or of which the expression asks whether it is. */
  readonly onSelect?: (selection: Selection) => void;
};

/**
 * `needed`: the expression has no value without it; `tested`: it asks whether the part is there, or goes on without it. `isLookUp`: by a
 * position, or by a key that nobody knows.
 */
export type Selection = {
  readonly kind: "needed" | "tested";
  readonly places: readonly FieldPlace[];
  readonly isLookUp: boolean;
  readonly at: Span;
};

function at(...places: readonly FieldPlace[]): Origin {
  return { ...NOWHERE, places };
}

export function join(...origins: readonly Origin[]): Origin {
  return {
    places: origins.flatMap(({ places }) => places),
    items: origins.flatMap(({ items }) => items),
    members: origins.flatMap(({ members }) => members),
    isScan: origins.some(({ isScan }) => isScan),
    isOptional: origins.some(({ isOptional }) => isOptional),
  };
}

/** Everything in the value counts. */
export function useWhole({ places, items, members }: Origin, trace: Trace): void {
  for (const place of places) trace.use({ ...place, isWhole: true });
  for (const item of [...items, ...members.map(({ value }) => value)]) useWhole(item, trace);
}

/** Whether a member is there decides between a value and an error, even if the value does not count. */
export function usePresent(origin: Origin, { use }: Trace): Origin {
  for (const place of origin.places) use({ ...place, isWhole: false });
  return origin;
}

export function selectMember({ places, members, items }: Origin, name: string): Origin {
  const built = members.filter((member) => member.name === undefined || member.name === name);
  const inner = places.map(({ variable, path }) => ({ variable, path: [...path, name] }));
  return join(at(...inner), ...built.map(({ value }) => value), ...items.map((item) => selectMember(item, name)));
}

/** An item of a list, or the value of a key. */
export function selectAny({ places, items, members }: Origin): Origin {
  const inner = places.map(({ variable, path }) => ({ variable, path: [...path, ITEMS] }));
  return join(at(...inner), ...items, ...members.map(({ value }) => value));
}
