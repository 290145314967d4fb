import type { Meter } from "./meter.ts";
import { equal, findMapValue } from "./equality.ts";
import { findListItem, findMember, getListSize, getListValues } from "./unstructured.ts";
import type { CelValue, ListValue } from "./value.ts";
import { NO_OVERLOAD, buildError, isError, isKind, isList, isMap, isObjectValue } from "./value.ts";

/** The failure of a selection that finds nothing. */
export function missingKey(value: CelValue, key: CelValue): CelValue {
  return buildError(isList(value) ? `index out of bounds: ${formatKey(key)}` : `no such key: ${formatKey(key)}`);
}

/** `has(value.name)`. As in cel-go, a value that has no fields lacks each of them; only of a list is it an error to ask. */
export function hasField(value: CelValue, name: CelValue): CelValue {
  if (!isMap(value)) return isList(value) ? NO_OVERLOAD : false;
  const element = findMapValue(value, name);
  return element !== undefined && isError(element) ? element : element !== undefined;
}

/** `item in list`, `key in map`. */
export function isIn(item: CelValue, container: CelValue, meter: Meter): CelValue {
  if (isList(container)) return listContains(container, item, meter);
  if (!isMap(container)) return NO_OVERLOAD;
  const element = findMapValue(container, item);
  return element !== undefined && isError(element) ? element : element !== undefined;
}

/**
 * A value that can't be compared is an error in a list of an object without an equal item, and not a match in any other list. The first one
 * says whether objects are equal of which each has fields that rules don't see: an item of the object's list, and else what is looked for.
 */
function listContains(list: ListValue, item: CelValue, meter: Meter): CelValue {
  const isStrict = list.json !== undefined;
  let failure: CelValue | undefined;
  for (const value of getListValues(list)) {
    const same = isStrict ? (value === null ? item === null : equal(value, item, meter)) : equal(item, value, meter);
    if (same === true) return true;
    if (isError(same)) failure ??= same;
  }
  return (isStrict ? failure : undefined) ?? false;
}

/** Can it be an index at all? */
export function isPlainKey(key: CelValue): boolean {
  return isObjectValue(key) ? key.kind === "uint" : key !== null;
}

/** A part of a map or list; undefined if there is none. */
export function lookUp(value: CelValue, key: CelValue): CelValue | undefined {
  if (typeof key === "string" && isKind(value, "map")) return findMember(value, key);
  if (!isPlainKey(key)) return NO_OVERLOAD;
  if (isMap(value)) return findMapValue(value, key);
  if (!isList(value)) return undefined;
  const index = toIndex(key);
  if (index === undefined) return NO_OVERLOAD;
  return index >= 0 && index < getListSize(value) ? findListItem(value, index) : undefined;
}

function toIndex(key: CelValue): number | undefined {
  if (typeof key === "bigint") return Number(key);
  if (typeof key === "number") return Number.isInteger(key) && Math.abs(key) < 2 ** 63 ? key : undefined;
  return isKind(key, "uint") ? Number(key.value) : undefined;
}

function formatKey(key: CelValue): string {
  return isObjectValue(key) ? "?" : String(key);
}
