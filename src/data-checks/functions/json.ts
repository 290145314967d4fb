import type { Json } from "../../model/json.ts";
import { findMapValue, getMapKeys, getListValues, type CelValue, isList, isMap } from "../../schema/cel/index.ts";

/** A value of an expression as JSON; undefined if it has none, as a time, a map with other keys than texts, or an int beyond 2^53. */
export function valueToJson(value: CelValue): Json | undefined {
  if (isList(value)) return collect(getListValues(value).map(valueToJson));
  if (isMap(value)) return mapToJson(getMapKeys(value).map((key) => [key, findMapValue(value, key) ?? null]));
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "object" && value !== null ? undefined : value;
}

function mapToJson(entries: readonly (readonly [CelValue, CelValue])[]): Json | undefined {
  const names = entries.map(([key]) => key).filter((key) => typeof key === "string");
  const values = collect(entries.map(([, value]) => valueToJson(value)));
  if (values === undefined || names.length < entries.length) return undefined;
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? null]));
}

function collect(values: readonly (Json | undefined)[]): readonly Json[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length < values.length ? undefined : known;
}
