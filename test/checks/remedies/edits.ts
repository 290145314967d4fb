import { type Json, type JsonObject, isList, isObject, textAt } from "../../../src/model/json.ts";

/** A member of an object, an item of a list by its position, an object by its name, or a condition by its type. */
type Key = string | number | { readonly name: string } | { readonly type: string };

/** A change of one value of a case's cluster: API path, keys from there, and the new value; without one, the value is removed. */
export type Edit = readonly [path: string, keys: readonly Key[], value?: Json];

export function applyEdits(cluster: JsonObject, edits: readonly Edit[]): JsonObject {
  return edits.reduce((all, [path, keys, value]) => ({ ...all, [path]: replaceAt(all[path], keys, value) }), cluster);
}

function replaceAt(from: Json | undefined, [key, ...rest]: readonly Key[], value: Json | undefined): Json {
  if (key === undefined) return value ?? null;
  return typeof key === "string" ? replaceMember(from, key, rest, value) : replaceItem(from, key, rest, value);
}

/** Objects that don't exist on the way are made. */
function replaceMember(from: Json | undefined, key: string, rest: readonly Key[], value: Json | undefined): Json {
  const members = isObject(from) ? from : {};
  if (rest.length > 0 || value !== undefined) return { ...members, [key]: replaceAt(members[key], rest, value) };
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
}

/** An item that doesn't exist is a mistake of the edit. */
function replaceItem(
  from: Json | undefined,
  key: Exclude<Key, string>,
  rest: readonly Key[],
  value: Json | undefined,
): Json {
  const items = isList(from) ? from : [];
  const index = typeof key === "number" ? key : items.findIndex((item) => isNamed(item, key));
  if (items[index] === undefined) throw new Error(`there is no item ${JSON.stringify(key)}`);
  return rest.length === 0 && value === undefined
    ? items.toSpliced(index, 1)
    : items.with(index, replaceAt(items[index], rest, value));
}

function isNamed(item: Json, key: Exclude<Key, string | number>): boolean {
  return "name" in key ? textAt(item, "metadata", "name") === key.name : textAt(item, "type") === key.type;
}
