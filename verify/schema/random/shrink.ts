import { type Json, type JsonObject, isList, isObject } from "../../../src/model/json.ts";

/** Removes more and more of the object while `showing` finds a smaller one that still shows the problem. */
export async function shrink(
  object: JsonObject,
  showing: (smaller: readonly JsonObject[]) => Promise<JsonObject | undefined>,
): Promise<JsonObject> {
  let smallest = object;
  for (;;) {
    const smaller = await showing([...without(smallest)].filter(isObject));
    if (smaller === undefined) return smallest;
    smallest = smaller;
  }
}

/** Every value with one field or item removed at any depth, the largest parts first. */
function* without(value: Json): Generator<Json> {
  if (isList(value)) {
    for (const i of value.keys()) yield value.toSpliced(i, 1);
    for (const [i, item] of value.entries()) for (const smaller of without(item)) yield value.with(i, smaller);
    return;
  }
  if (!isObject(value)) return;
  const entries = Object.entries(value);
  for (const i of entries.keys()) yield Object.fromEntries(entries.toSpliced(i, 1));
  for (const [i, [key, item]] of entries.entries()) {
    for (const smaller of without(item)) yield Object.fromEntries(entries.with(i, [key, smaller]));
  }
}
