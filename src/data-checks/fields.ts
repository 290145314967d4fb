import { type Json, isList, isObject } from "../model/json.ts";

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

/** The step to an item of a list, or to a member by a key that is not known. */
export const ITEMS = "[]";

const UNUSED: UsedFields = { isWhole: false, members: new Map() };

/** The fields of one variable's object. */
export function mergeUsedPlaces(places: readonly UsedPlace[], variable: string): UsedFields {
  const own = places.filter((place) => place.variable === variable);
  const distinct = new Map(own.map((place) => [[place.isWhole, ...place.path].join("\u0000"), place]));
  return [...distinct.values()].reduce((fields, { path, isWhole }) => add(fields, path, isWhole), UNUSED);
}

function add(fields: UsedFields, [name, ...rest]: readonly string[], isWhole: boolean): UsedFields {
  if (fields.isWhole) return fields;
  if (name === undefined) return isWhole ? { ...UNUSED, isWhole } : fields;
  const member = add(fields.members.get(name) ?? UNUSED, rest, isWhole);
  return { ...fields, members: new Map([...fields.members, [name, member]]) };
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
