import { type Json, type JsonObject, isList, isObject } from "../../../src/model/json.ts";

/** A change of one value of a case's cluster: API path, keys from there, and the new value; without one, the value is removed. */
export type Edit = readonly [path: string, keys: readonly (string | number)[], value?: Json];

export function applyEdits(cluster: JsonObject, edits: readonly Edit[]): JsonObject {
  return edits.reduce((all, [path, keys, value]) => ({ ...all, [path]: replaceAt(all[path], keys, value) }), cluster);
}

/** Objects that don't exist on the way are made; an item that doesn't exist is a mistake of the edit. */
function replaceAt(
  from: Json | undefined,
  [key, ...rest]: readonly (string | number)[],
  value: Json | undefined,
): Json {
  if (key === undefined) return value ?? null;
  if (typeof key === "number") return replaceItem(from, key, rest, value);
  const members = isObject(from) ? from : {};
  const others = Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
  return rest.length === 0 && value === undefined ? others : { ...others, [key]: replaceAt(members[key], rest, value) };
}

function replaceItem(
  from: Json | undefined,
  index: number,
  rest: readonly (string | number)[],
  value: Json | undefined,
): Json {
  if (!isList(from) || from[index] === undefined) throw new Error(`there is no item ${index}`);
  return rest.length === 0 && value === undefined
    ? from.toSpliced(index, 1)
    : from.with(index, replaceAt(from[index], rest, value));
}
