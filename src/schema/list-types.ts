import { type Json, isObject } from "../model/json.ts";
import { identity } from "./identity.ts";
import type { ListType } from "./node.ts";
import type { ErrorType } from "./verdict.ts";
import { listed, shown } from "./words.ts";

type ItemError = { readonly index: number; readonly type: ErrorType; readonly message: string };

/** What is wrong with a list that is a set, or a map by some of its items' fields. Each value that is there twice is told once. */
export function duplicates(type: ListType, list: readonly Json[]): readonly ItemError[] {
  if (type.kind === "set") {
    return seconds(list, identity).map((index) =>
      duplicate(index, `The item ${shown(list[index] ?? null)} is in the set already`),
    );
  }
  const odd = list.findIndex((item) => item !== null && !isObject(item));
  if (odd >= 0) {
    return [
      {
        index: odd,
        type: "FieldValueInvalid",
        message: "The items of this list must be objects, since it is a map by their fields",
      },
    ];
  }
  return seconds(list, (item) => identity(keyOf(item, type.keys))).map((index) =>
    duplicate(
      index,
      `Another item has the same ${type.keys.join(", ")}: ${listed(Object.values(keyOf(list[index] ?? null, type.keys)))}`,
    ),
  );
}

function duplicate(index: number, message: string): ItemError {
  return { index, type: "FieldValueDuplicate", message };
}

/** The fields by which items are told apart; one that is absent is absent here too. */
function keyOf(item: Json, keys: readonly string[]): { readonly [key: string]: Json } {
  if (!isObject(item)) return {};
  return Object.fromEntries(Object.entries(item).filter(([key]) => keys.includes(key)));
}

/** The places at which a value is met for the second time. */
function seconds(list: readonly Json[], name: (item: Json) => string | undefined): readonly number[] {
  const met = new Map<string, number>();
  return list.flatMap((item, i) => {
    const same = name(item);
    if (same === undefined) return [];
    const times = (met.get(same) ?? 0) + 1;
    met.set(same, times);
    return times === 2 ? [i] : [];
  });
}
