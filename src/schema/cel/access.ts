import { equal, mapValue } from "./equal.ts";
import { NO_OVERLOAD, NOTHING, type Value, failure, isFailure, isList, isMap, isOther, optional } from "./value.ts";
import { listItem, listSize, listValues } from "./wrap.ts";

/** `value.key` and `value[key]`. Of an optional value the selection is optional too. */
export function selected(value: Value, key: Value): Value {
  if (isOther(value) && value.kind === "optional") return selectedOptionally(value, key);
  const found = lookUp(value, key);
  if (found !== undefined) return found;
  return failure(isList(value) ? `index out of bounds: ${shown(key)}` : `no such key: ${shown(key)}`);
}

/** `value.?key` and `value[?key]`. */
export function selectedOptionally(value: Value, key: Value): Value {
  const inner = isOther(value) && value.kind === "optional" ? value.value : value;
  if (inner === undefined) return NOTHING;
  const found = lookUp(inner, key);
  if (found === undefined) return NOTHING;
  return isFailure(found) ? found : optional(found);
}

/** `has(value.name)`. */
export function presence(value: Value, name: string): Value {
  if (isOther(value) && value.kind === "optional")
    return value.value === undefined ? false : presence(value.value, name);
  if (!isMap(value)) return NO_OVERLOAD;
  const found = mapValue(value, name);
  return found !== undefined && isFailure(found) ? found : found !== undefined;
}

/** `item in list`, `key in map`. */
export function contains(item: Value, of: Value): Value {
  if (isList(of)) return listHas(listValues(of), item, of.json !== undefined);
  if (!isMap(of)) return NO_OVERLOAD;
  const found = mapValue(of, item);
  return found !== undefined && isFailure(found) ? found : found !== undefined;
}

/** A value that can't be compared is an error in a list of an object, where nothing equals, and no hit in any other list. */
function listHas(values: readonly Value[], item: Value, isStrict: boolean): Value {
  let wrong: Value | undefined;
  for (const value of values) {
    const same = isStrict && value === null ? item === null : equal(value, item);
    if (same === true) return true;
    if (isFailure(same)) wrong ??= same;
  }
  return (isStrict ? wrong : undefined) ?? false;
}

function lookUp(value: Value, key: Value): Value | undefined {
  if (isMap(value)) return mapValue(value, key);
  if (!isList(value)) return NO_OVERLOAD;
  const index = indexOf(key);
  if (index === undefined) return NO_OVERLOAD;
  return index >= 0 && index < listSize(value) ? listItem(value, index) : undefined;
}

function indexOf(key: Value): number | undefined {
  if (typeof key === "bigint") return Number(key);
  if (typeof key === "number") return Number.isInteger(key) ? key : undefined;
  return isOther(key) && key.kind === "uint" ? Number(key.value) : undefined;
}

function shown(key: Value): string {
  return isOther(key) ? "?" : String(key);
}
