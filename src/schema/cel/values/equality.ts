import { type Json, isNumber } from "../../../model/json.ts";
import { buildEqualityKey, isInt64 } from "../../openapi/index.ts";
import { escapeName, unescapeName } from "./text.ts";
import { compareQuantities, compareVersions, compareNumbers } from "./numbers.ts";
import { isSameIp, buildComparableUrl } from "./addresses.ts";
import { type Meter, READ_WORK, countWork } from "./meter.ts";
import type { UnstructuredMap, ListValue, ErrorValue, OfKind, ObjectValue, CelValue, MapValue } from "./value.ts";
import { findEntry, NO_OVERLOAD, PanicError, isError, isList, isMap, formatSetKey, isKind } from "./value.ts";
import {
  findField,
  findFieldSchema,
  unstructuredToValue,
  hasNamedFields,
  findListItem,
  findMember,
  getListSize,
  getListValues,
  getMapEntries,
} from "./unstructured.ts";

/** `==`: true, false or an error. Null only equals null; numbers of all types are compared by value. */
export function equal(a: CelValue, b: CelValue, meter: Meter): CelValue {
  return a === null || b === null ? a === b : equalTo(a, b, meter);
}

/** Comparing a short text takes less than the step to it. */
const SHORT = 64;

/** What the first value says of the other one. Only values of the API server's own types have an error for an error. */
function equalTo(a: CelValue, b: CelValue, meter: Meter): CelValue {
  if (a === null || isError(a)) return a ?? b === null;
  if (isError(b)) return isOwnType(a) ? b : false;
  if (typeof a === "object") return equalObjectValues(a, b, meter);
  if (typeof a === "bigint" || typeof a === "number") return isSameNumber(a, b);
  if (typeof a === "string" && typeof b === "string" && a.length === b.length && a.length > SHORT)
    countWork(meter, a.length * READ_WORK);
  return a === b;
}

function isSameNumber(a: bigint | number, b: CelValue): boolean {
  const other = isKind(b, "uint") ? b.value : b;
  if (typeof other !== "bigint" && typeof other !== "number") return false;
  return compareNumbers(a, other) === 0;
}

function equalObjectValues(a: Exclude<ObjectValue, ErrorValue>, b: CelValue, meter: Meter): CelValue {
  if (a.kind === "list") return isList(b) ? equalLists(a, b, meter) : a.items === undefined ? false : NO_OVERLOAD;
  if (a.kind === "json") return isMap(b) ? equalFields(a, b, meter) : NO_OVERLOAD;
  if (a.kind === "map") return isMap(b) ? equalMaps(a, b, meter) : false;
  if (a.kind === "uint") return isSameNumber(a.value, b);
  if (a.kind === "opaque") return isSameAsRead(a.json, b, meter);
  return equalScalars(a.kind, a, b, meter);
}

/** The API server's own types can't be compared with anything else. */
const STRICT_KINDS: ReadonlySet<ObjectValue["kind"]> = new Set(["url", "ip", "cidr", "quantity", "semver", "format"]);

function isOwnType(value: CelValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return value.kind === "json" || (value.kind === "list" && value.items !== undefined) || STRICT_KINDS.has(value.kind);
}

type ScalarKind = Exclude<ObjectValue["kind"], "failure" | "json" | "list" | "map" | "opaque" | "uint">;

const EQUALS: { readonly [K in ScalarKind]: (a: OfKind<K>, b: OfKind<K>, meter: Meter) => CelValue } = {
  empty: () => true,
  bytes: (a, b) => Buffer.compare(a.bytes, b.bytes) === 0,
  timestamp: (a, b) => a.seconds === b.seconds && a.nanos === b.nanos,
  duration: (a, b) => a.nanos === b.nanos,
  type: (a, b) => a.name === b.name,
  optional: (a, b, meter) =>
    a.value === undefined || b.value === undefined ? a.value === b.value : equal(a.value, b.value, meter),
  url: (a, b) => buildComparableUrl(a) === buildComparableUrl(b),
  ip: isSameIp,
  cidr: (a, b) => a.prefixLength === b.prefixLength && isSameIp(a.ip, b.ip),
  quantity: (a, b) => compareQuantities(a, b) === 0,
  semver: (a, b) => compareVersions(a, b) === 0,
  format: (a, b) => a.name === b.name,
};

function equalScalars<K extends ScalarKind>(kind: K, a: OfKind<K>, b: CelValue, meter: Meter): CelValue {
  if (isKind(b, kind)) return EQUALS[kind](a, b, meter);
  return STRICT_KINDS.has(kind) ? NO_OVERLOAD : false;
}

/** Whether another value was read of the same JSON, by a schema or without one. Go tells integers from doubles here. */
function isSameAsRead(json: Json, b: CelValue, meter: Meter): boolean {
  if (typeof b === "bigint") return isNumber(json) && isInt64(json) && BigInt(json) === b;
  if (typeof b === "number") return json === b && !isInt64(b);
  if (typeof b !== "object" || b === null) return json === b;
  const own = "json" in b ? b.json : undefined;
  const read = b.kind === "list" ? (own ?? b.source) : own;
  if (read === undefined) return false;
  const key = buildEqualityKey(json);
  countWork(meter, (key?.length ?? 0) * READ_WORK);
  return key === buildEqualityKey(read);
}

function equalLists(a: ListValue, b: ListValue, meter: Meter): CelValue {
  const size = getListSize(a);
  if (size !== getListSize(b)) return false;
  countWork(meter, size);
  if (a.type?.kind === "set") return equalSets(a, b);
  if (a.type?.kind === "map") return equalByKeys(a, b, a.type.keys, meter);
  for (let i = 0; i < size; i++) {
    const one = findListItem(a, i);
    const other = findListItem(b, i);
    if (one === undefined || other === undefined) return NO_OVERLOAD;
    const same = a.items === undefined ? equal(one, other, meter) : equalTo(one, other, meter);
    // In lists and maps of an expression, cel-go takes values that can't be compared for equal ones.
    if (same === false || (same !== true && a.items !== undefined)) return same;
  }
  return true;
}

/** Order and duplicates do not matter. The API server keeps sets as Go maps, whose keys can't be maps or lists in the place of scalars. */
function equalSets(a: ListValue, b: ListValue): boolean {
  requireHashable(a);
  requireHashable(b);
  const keys = new Set(buildSetKeys(a));
  return getListValues(b).every((item) => {
    const key = formatSetKey(item);
    return key !== undefined && keys.has(key);
  });
}

/**
 * The items of a set as Go maps have them: as JSON, where a whole number is an integer. What a rule reads in the place of an item is looked
 * up among them, so that a time, or a whole number of the type number, is never found.
 */
export function buildSetKeys(set: ListValue): readonly (string | undefined)[] {
  const { json } = set;
  if (json === undefined) return getListValues(set).map(formatSetKey);
  return json.map((item) => {
    if (isNumber(item) && isInt64(item)) return formatSetKey(BigInt(item));
    return typeof item === "object" ? undefined : formatSetKey(item);
  });
}

/** Throws for a list that the API server can't keep as a set. */
export function requireHashable({ json }: ListValue): void {
  if (json?.some((item) => typeof item === "object" && item !== null))
    throw new PanicError("internal error: hash of unhashable type");
}

function equalByKeys(a: ListValue, b: ListValue, keys: readonly string[], meter: Meter): CelValue {
  const mine = new Map(getListValues(a).map((item) => [buildListKey(item, keys), item]));
  for (const item of getListValues(b)) {
    const own = mine.get(buildListKey(item, keys));
    if (own === undefined) return false;
    const same = equalTo(own, item, meter);
    if (same !== true) return same;
  }
  return true;
}

/** The key of a list item. The API server looks the fields up by their escaped names, so it finds none whose name needs escaping. */
export function buildListKey(item: CelValue, keys: readonly string[]): string {
  const json = isKind(item, "json") || isKind(item, "map") ? (item.json ?? {}) : {};
  return keys
    .map((key) => escapeName(key) ?? key)
    .map((key) => (Object.hasOwn(json, key) ? (buildEqualityKey(json[key] ?? null) ?? "?") : "-"))
    .join("\u0000");
}

function equalFields(a: UnstructuredMap, b: UnstructuredMap | MapValue, meter: Meter): CelValue {
  const names = Object.keys(a.json);
  countWork(meter, names.length);
  if (names.length !== getMapSize(b)) return false;
  for (const name of names) {
    const same = findFieldSchema(a, name) === undefined ? equalUnknownField(a, b, name) : equalField(a, b, name, meter);
    if (same !== true) return same;
  }
  return true;
}

function equalField(a: UnstructuredMap, b: UnstructuredMap | MapValue, name: string, meter: Meter): CelValue {
  const other = findMapValue(b, name);
  const mine = a.schema.equatesHidden ? findMapValue(a, name) : readField(a, name);
  if (mine === undefined || other === undefined) return a.schema.equatesHidden && mine === other;
  return equalTo(mine, other, meter);
}

/** The field by its own name, which rules may have to escape. */
function readField(map: UnstructuredMap, name: string): CelValue | undefined {
  const schema = findFieldSchema(map, name);
  return schema && unstructuredToValue(map.json[name] ?? null, schema);
}

function equalUnknownField(a: UnstructuredMap, b: UnstructuredMap | MapValue, name: string): CelValue {
  if (b.kind === "map") return NO_OVERLOAD;
  const mine = a.json[name];
  const other = Object.hasOwn(b.json, name) ? b.json[name] : undefined;
  return mine === undefined || other === undefined || buildEqualityKey(mine) === buildEqualityKey(other);
}

function equalMaps(a: MapValue, b: UnstructuredMap | MapValue, meter: Meter): CelValue {
  const entries = getMapEntries(a);
  countWork(meter, entries.size);
  if (entries.size !== getMapSize(b)) return false;
  for (const [key, value] of entries.values()) {
    const other = findMapValue(b, key);
    if (other === undefined || isError(other) || equal(value, other, meter) === false) return false;
  }
  return true;
}

export function getMapSize(map: UnstructuredMap | MapValue): number {
  return map.kind === "map" ? getMapEntries(map).size : Object.keys(map.json).length;
}

/** The value of a key; undefined if there is none, an error if the map can't have such a key. */
export function findMapValue(map: UnstructuredMap | MapValue, key: CelValue): CelValue | undefined {
  if (map.kind === "map") return typeof key === "string" ? findMember(map, key) : findEntry(getMapEntries(map), key);
  if (typeof key !== "string") return NO_OVERLOAD;
  const name = hasNamedFields(map) ? unescapeName(key) : key;
  return name === undefined ? undefined : findField(map, name);
}

/** The keys as rules see them. */
export function getMapKeys(map: UnstructuredMap | MapValue): readonly CelValue[] {
  if (map.kind === "map") return [...getMapEntries(map).values()].map(([key]) => key);
  const names = Object.keys(map.json).filter((name) => findFieldSchema(map, name) !== undefined);
  return hasNamedFields(map) ? names.map((name) => escapeName(name) ?? name) : names;
}
