import { type Json, isObject } from "../../../model/json.ts";
import { buildEqualityKey } from "./equality-key.ts";
import type { ListType } from "./structural-schema.ts";
import type { ErrorType } from "./field-errors.ts";
import { formatValues, formatValue } from "./value-text.ts";

type ItemError = { readonly index: number; readonly type: ErrorType; readonly message: string };

/** The faults of a set or map list. Each duplicate value is reported once. */
export function findDuplicates(type: ListType, list: readonly Json[]): readonly ItemError[] {
  if (type.kind === "set") {
    return findSecondOccurrences(list, buildEqualityKey).map((index) =>
      buildDuplicateError(index, `The item ${formatValue(list[index] ?? null)} is in the set already`),
    );
  }
  const index = list.findIndex((item) => item !== null && !isObject(item));
  const message = "The items of this list must be objects, since it is a map by their fields";
  if (index >= 0) return [{ index, type: "FieldValueInvalid", message }];
  return findSecondOccurrences(list, (item) => buildEqualityKey(selectKeyFields(item, type.keys))).map((place) => {
    const values = formatValues(Object.values(selectKeyFields(list[place] ?? null, type.keys)));
    return buildDuplicateError(place, `Another item has the same ${type.keys.join(", ")}: ${values}`);
  });
}

/** Other writes pass if they leave the list unchanged, but server-side apply tells items apart by their keys. */
function buildDuplicateError(index: number, message: string): ItemError {
  return { index, type: "FieldValueDuplicate", message: `${message}; server-side apply of the list fails` };
}

/** The key fields of an item; absent ones are left out. */
function selectKeyFields(item: Json, keys: readonly string[]): { readonly [key: string]: Json } {
  if (!isObject(item)) return {};
  return Object.fromEntries(Object.entries(item).filter(([key]) => keys.includes(key)));
}

/** The indexes at which a value occurs for the second time. */
export function findSecondOccurrences(
  list: readonly Json[],
  name: (item: Json) => string | undefined,
): readonly number[] {
  const counts = new Map<string, number>();
  return list.flatMap((item, i) => {
    const key = name(item);
    if (key === undefined) return [];
    const times = (counts.get(key) ?? 0) + 1;
    counts.set(key, times);
    return times === 2 ? [i] : [];
  });
}
