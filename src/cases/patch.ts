import { type Json, type JsonObject, at, isList, isObject, textAt } from "../model/json.ts";

/**
 * What a base says, with a case's difference: a JSON merge patch. Where the base has a list, a map of maps changes its items by name.
 * What the base lacks is taken as it is written.
 */
export function patchValue(base: Json | undefined, change: Json): Json {
  if (!isObject(change)) return change;
  if (isList(base)) return isItemChange(change) ? patchItems(base, change) : change;
  return isObject(base) ? applyMergePatch(base, spellOut(base, change)) : change;
}

/** The same patch with whole lists, as RFC 7396 knows it. */
function spellOut(base: JsonObject, change: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(change).map(([key, value]) => [key, spellOutField(at(base, key), value)]));
}

function spellOutField(before: Json | undefined, value: Json): Json {
  if (!isObject(value)) return value;
  if (isObject(before)) return spellOut(before, value);
  return isList(before) ? patchValue(before, value) : value;
}

/** An error (`{error: 403 forbidden}`) or other items (`{items: [...]}`) replace a list. */
function isItemChange(change: JsonObject): boolean {
  const values = Object.values(change);
  return values.length > 0 && values.every((value) => value === null || isObject(value));
}

function patchItems(items: readonly Json[], changes: JsonObject): readonly Json[] {
  const names = items.map(getItemName);
  const added = Object.entries(changes).filter(([name, change]) => isNewItem(names, name, change));
  const kept = items.flatMap((item, i) => {
    const change = at(changes, names[i] ?? "");
    if (change === null) return [];
    return [change === undefined ? item : patchValue(item, change)];
  });
  return [...kept, ...added.map(([, item]) => item)];
}

/** Throws if the name is that of several items; or of none, unless the change is a whole item. */
function isNewItem(names: readonly (string | undefined)[], name: string, change: Json): boolean {
  const count = names.filter((one) => one === name).length;
  if (count > 1) throw new Error(`several items of the base are called "${name}": write the whole list`);
  if (count === 1) return false;
  if (change !== null && getItemName(change) === name) return true;
  throw new Error(
    `no item of the base is called "${name}": a new one gives its own name, and the base has ${list(names)}`,
  );
}

function list(names: readonly (string | undefined)[]): string {
  return names.filter((name) => name !== undefined).join(", ") || "none with a name";
}

/** "shop/orders" of an object with a namespace; otherwise its name, or the type of a condition. */
function getItemName(item: Json): string | undefined {
  const namespace = textAt(item, "metadata", "namespace");
  const name = textAt(item, "metadata", "name");
  if (name !== undefined) return namespace === undefined ? name : `${namespace}/${name}`;
  return textAt(item, "name") ?? textAt(item, "type");
}

/** Applies a JSON merge patch (RFC 7396) like an API server, but ignores its precondition. */
export function applyMergePatch(object: JsonObject, patch: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...object };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isObject(value) ? applyMergePatch(getObject(object, key), value) : value;
  }
  return result;
}

function getObject(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}
