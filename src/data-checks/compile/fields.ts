import { type Json, isList, isObject } from "../../model/json.ts";
import { ITEMS, type NeededField } from "../../model/needed-fields.ts";

/**
 * What expressions use of an object: of a whole value everything, of any other its named members. "[]" stands for the items of a list, and
 * for the members of a map by keys that are not known; such a map is kept whole.
 */
export type UsedFields = { readonly isWhole: boolean; readonly members: ReadonlyMap<string, UsedFields> };

/** The fields of a read's objects: what rules use, and what is used at all, by its own expressions too. */
export type ReadFields = { readonly kept: UsedFields; readonly seen: UsedFields };

/** A place in the object of a variable. */
export type FieldPlace = { readonly variable: string; readonly path: readonly string[] };

/** A place of which everything counts, or only that it is there. */
export type UsedPlace = FieldPlace & { readonly isWhole: boolean };

const UNUSED: UsedFields = { isWhole: false, members: new Map() };

type Draft = { isWhole: boolean; readonly members: Map<string, Draft> };

/** The fields of one variable's object. */
export function mergeUsedPlaces(places: readonly UsedPlace[], variable: string): UsedFields {
  const fields: Draft = { isWhole: false, members: new Map() };
  for (const place of places) if (place.variable === variable) add(fields, place);
  return fields;
}

function add(fields: Draft, { path, isWhole }: UsedPlace): void {
  let here = fields;
  for (const name of path) {
    if (here.isWhole) return;
    const member = here.members.get(name) ?? { isWhole: false, members: new Map() };
    here.members.set(name, member);
    here = member;
  }
  if (!isWhole) return;
  here.isWhole = true;
  here.members.clear();
}

/** The ends of all paths. */
export function listNeededFields({ isWhole, members }: UsedFields): readonly NeededField[] {
  if (members.size === 0) return [{ path: [], isWhole }];
  return [...members].flatMap(([name, inner]) =>
    listNeededFields(inner).map((field) => ({ ...field, path: [name, ...field.path] })),
  );
}

/** The value with what is used of it, without members that are null. Lists keep their length. */
export function keepUsedFields(value: Json, fields: UsedFields): Json {
  const { isWhole, members } = fields;
  const any = members.get(ITEMS);
  if (isList(value)) return isWhole ? dropNulls(value) : value.map((item) => keepUsedFields(item, any ?? UNUSED));
  if (!isObject(value)) return value;
  if (isWhole || any !== undefined) return dropNulls(value);
  const kept: [string, Json][] = [];
  for (const [name, inner] of members) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined && member !== null) kept.push([name, keepUsedFields(member, inner)]);
  }
  return Object.fromEntries(kept);
}

/** Kubernetes takes a member that is null for one that is absent. */
export function dropNulls(value: Json): Json {
  if (isList(value)) return value.map(dropNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, dropNulls(member)]));
}
