import { equal, findMapValue } from "./values/equality.ts";
import {
  NO_OVERLOAD,
  OPTIONAL_NONE,
  type CelValue,
  buildError,
  isError,
  isList,
  isMap,
  isObjectValue,
  buildOptional,
  isKind,
} from "./values/value.ts";
import { findListItem, getListSize, getListValues } from "./values/unstructured.ts";

/** `value.key` and `value[key]`. Of an optional value the selection is optional too. */
export function selectField(value: CelValue, key: CelValue): CelValue {
  if (isKind(value, "optional")) return selectOptionalField(value, key);
  const element = lookUp(value, key);
  if (element !== undefined) return element;
  return buildError(isList(value) ? `index out of bounds: ${formatKey(key)}` : `no such key: ${formatKey(key)}`);
}

/** `value.?key` and `value[?key]`. */
export function selectOptionalField(value: CelValue, key: CelValue): CelValue {
  const inner = isKind(value, "optional") ? value.value : value;
  if (inner === undefined) return OPTIONAL_NONE;
  const element = lookUp(inner, key);
  if (element === undefined) return OPTIONAL_NONE;
  return isError(element) ? element : buildOptional(element);
}

/** `has(value.name)`. As in cel-go, a value that has no fields lacks each of them; only of a list is it an error to ask. */
export function hasField(value: CelValue, name: string): CelValue {
  if (isKind(value, "optional")) return value.value === undefined ? false : hasField(value.value, name);
  if (!isMap(value)) return isList(value) ? NO_OVERLOAD : false;
  const element = findMapValue(value, name);
  return element !== undefined && isError(element) ? element : element !== undefined;
}

/** `item in list`, `key in map`. */
export function isIn(item: CelValue, container: CelValue): CelValue {
  if (isList(container)) return listContains(getListValues(container), item, container.json !== undefined);
  if (!isMap(container)) return NO_OVERLOAD;
  const element = findMapValue(container, item);
  return element !== undefined && isError(element) ? element : element !== undefined;
}

/** A value that can't be compared is an error in a list of an object without an equal item, and not a match in any other list. */
function listContains(values: readonly CelValue[], item: CelValue, isStrict: boolean): CelValue {
  let failure: CelValue | undefined;
  for (const value of values) {
    const same = isStrict && value === null ? item === null : equal(value, item);
    if (same === true) return true;
    if (isError(same)) failure ??= same;
  }
  return (isStrict ? failure : undefined) ?? false;
}

/** Can it be an index at all? */
export function isPlainKey(key: CelValue): boolean {
  return isObjectValue(key) ? key.kind === "uint" : key !== null;
}

function lookUp(value: CelValue, key: CelValue): CelValue | undefined {
  if (!isPlainKey(key)) return NO_OVERLOAD;
  if (isMap(value)) return findMapValue(value, key);
  if (!isList(value)) return undefined;
  const index = toIndex(key);
  if (index === undefined) return NO_OVERLOAD;
  return index >= 0 && index < getListSize(value) ? findListItem(value, index) : undefined;
}

function toIndex(key: CelValue): number | undefined {
  if (typeof key === "bigint") return Number(key);
  if (typeof key === "number") return Number.isInteger(key) ? key : undefined;
  return isKind(key, "uint") ? Number(key.value) : undefined;
}

function formatKey(key: CelValue): string {
  return isObjectValue(key) ? "?" : String(key);
}
