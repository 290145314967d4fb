import { isList, isObject, type Json } from "../model/json.ts";
import { rejectSchema } from "./invalid-schema.ts";
import type { Default, StructuralSchema } from "./structural/structural-schema.ts";
import { applyDefaults } from "./stored-object.ts";

/** The most values that one default may contain after nested defaults are applied, because small schemas can multiply them without end. */
const MAX_VALUES = 10_000;

/** A default with its nested defaults applied. */
export function buildDefault(value: Json, schema: StructuralSchema, path: string): Default {
  const fullValue = applyDefaults(value, schema);
  if (countValues(fullValue) > MAX_VALUES) rejectSchema(`${path}.default`, `holds more than ${MAX_VALUES} values`);
  return { value: fullValue };
}

/** Counts values until the limit is exceeded. */
function countValues(value: Json): number {
  const pending: Json[] = [value];
  let size = 0;
  for (let next = pending.pop(); next !== undefined && size <= MAX_VALUES; next = pending.pop()) {
    size++;
    if (isList(next)) pending.push(...next.slice(0, MAX_VALUES));
    else if (isObject(next)) pending.push(...Object.values(next).slice(0, MAX_VALUES));
  }
  return size;
}
