import type { Json } from "../../model/json.ts";
import { identity } from "../identity.ts";
import { escaped, unescaped } from "./names.ts";
import { sameBytes } from "./bytes.ts";
import { compareQuantities } from "./quantity.ts";
import { compareVersions } from "./semver.ts";
import { sameIp } from "./ip.ts";
import { urlText } from "./url.ts";
import {
  type JsonMap,
  type List,
  NO_OVERLOAD,
  NotJudged,
  type Other,
  type Value,
  Panicked,
  type ValueMap,
  isFailure,
  isList,
  isMap,
  keyText,
} from "./value.ts";
import { field, fieldNode, isStruct, listItem, listSize, listValues } from "./wrap.ts";

/** `==`: true, false or a failure. A null equals nothing but a null; numbers of all types are compared by what they are worth. */
export function equal(a: Value, b: Value): Value {
  if (isFailure(a)) return a;
  if (isFailure(b)) return b;
  if (a === null || b === null) return a === b;
  if (typeof a === "object") return equalOther(a, b);
  if (typeof a === "bigint" || typeof a === "number") return sameNumber(a, b);
  return a === b;
}

function sameNumber(a: bigint | number, b: Value): boolean {
  const other = typeof b === "object" && b?.kind === "uint" ? b.value : b;
  if (typeof other !== "bigint" && typeof other !== "number") return false;
  // JavaScript compares an int and a double exactly.
  // oxlint-disable-next-line eqeqeq
  return a == other;
}

function equalOther(a: Other, b: Value): Value {
  if (a.kind === "list") return isList(b) ? equalLists(a, b) : a.json === undefined ? false : NO_OVERLOAD;
  if (a.kind === "json") return isMap(b) ? equalFields(a, b) : NO_OVERLOAD;
  if (a.kind === "map") return isMap(b) ? equalMaps(a, b) : false;
  if (a.kind === "uint") return sameNumber(a.value, b);
  if (typeof b !== "object" || b === null) return STRICT.has(a.kind) ? NO_OVERLOAD : false;
  return equalScalars(a, b);
}

/** The API server's own types can't be compared with anything else. */
const STRICT: ReadonlySet<Other["kind"]> = new Set(["url", "ip", "cidr", "quantity", "semver", "format"]);

function equalScalars(a: Other, b: Other): Value {
  if (a.kind === "opaque") return b.kind === "opaque" && sameJson(a.json, b.json);
  if (a.kind === "bytes" && b.kind === "bytes") return sameBytes(a.bytes, b.bytes);
  if (a.kind === "timestamp" && b.kind === "timestamp") return a.seconds === b.seconds && a.nanos === b.nanos;
  if (a.kind === "duration" && b.kind === "duration") return a.nanos === b.nanos;
  if (a.kind === "type" && b.kind === "type") return a.name === b.name;
  if (a.kind === "optional" && b.kind === "optional") {
    if (a.value === undefined || b.value === undefined) return a.value === b.value;
    return equal(a.value, b.value);
  }
  if (a.kind === "url" && b.kind === "url") return urlText(a) === urlText(b);
  if (a.kind === "ip" && b.kind === "ip") return sameIp(a, b);
  if (a.kind === "cidr" && b.kind === "cidr") return a.bits === b.bits && sameIp(a.ip, b.ip);
  if (a.kind === "quantity" && b.kind === "quantity") return compareQuantities(a, b) === 0;
  if (a.kind === "semver" && b.kind === "semver") return compareVersions(a, b) === 0;
  if (a.kind === "format" && b.kind === "format") return a.name === b.name;
  return STRICT.has(a.kind) ? NO_OVERLOAD : false;
}

function sameJson(a: Json, b: Json): boolean {
  const [first, second] = [identity(a), identity(b)];
  if (first === undefined || second === undefined) throw new NotJudged("an integer beyond 2^53 can't be read exactly");
  return first === second;
}

function equalLists(a: List, b: List): Value {
  const size = listSize(a);
  if (size !== listSize(b)) return false;
  if (a.type?.kind === "set") return equalSets(a, b);
  if (a.type?.kind === "map") return equalByKeys(a, b, a.type.keys);
  for (let i = 0; i < size; i++) {
    const same = equal(listItem(a, i) ?? NO_OVERLOAD, listItem(b, i) ?? NO_OVERLOAD);
    if (same !== true) return same;
  }
  return true;
}

/** The order doesn't matter, nor does an item that one side holds twice. */
/** The API server keeps sets as Go maps, and fails on an item that can't be a key: a map or a list in the place of a scalar. */
function equalSets(a: List, b: List): boolean {
  if (holdsUnhashable(a) || holdsUnhashable(b)) throw new Panicked("internal error: hash of unhashable type");
  const mine = listValues(a);
  const known = new Set(mine.map(keyText));
  return listValues(b).every((item) => {
    const key = keyText(item);
    return key === undefined ? mine.some((own) => equal(own, item) === true) : known.has(key);
  });
}

function holdsUnhashable({ json }: List): boolean {
  return json?.some((item) => typeof item === "object" && item !== null) ?? false;
}

function equalByKeys(a: List, b: List, keys: readonly string[]): Value {
  const mine = new Map(listValues(a).map((item) => [listKey(item, keys), item]));
  for (const item of listValues(b)) {
    const own = mine.get(listKey(item, keys));
    if (own === undefined) return false;
    const same = equal(own, item);
    if (same !== true) return same;
  }
  return true;
}

/** By what an item of a list is told from the others. The API server looks the fields up by their escaped names, and so finds none that have one. */
export function listKey(item: Value, keys: readonly string[]): string {
  const json = typeof item === "object" && item?.kind === "json" ? item.json : {};
  return keys
    .map((key) => escaped(key) ?? key)
    .map((key) => (Object.hasOwn(json, key) ? (identity(json[key] ?? null) ?? "?") : "-"))
    .join("\u0000");
}

function equalFields(a: JsonMap, b: JsonMap | ValueMap): Value {
  const names = Object.keys(a.json);
  if (names.length !== mapSize(b)) return false;
  for (const name of names) {
    const same = fieldNode(a, name) === undefined ? equalUnknown(a, b, name) : equalField(a, b, name);
    if (same !== true) return same;
  }
  return true;
}

function equalField(a: JsonMap, b: JsonMap | ValueMap, name: string): Value {
  const [mine, other] = [mapValue(a, name), mapValue(b, name)];
  if (mine === undefined || other === undefined) return mine === other;
  return equal(mine, other);
}

function equalUnknown(a: JsonMap, b: JsonMap | ValueMap, name: string): Value {
  if (b.kind === "map") return NO_OVERLOAD;
  const [mine, other] = [a.json[name], Object.hasOwn(b.json, name) ? b.json[name] : undefined];
  return mine === undefined || other === undefined || sameJson(mine, other);
}

function equalMaps(a: ValueMap, b: JsonMap | ValueMap): Value {
  if (a.entries.size !== mapSize(b)) return false;
  for (const [key, value] of a.entries.values()) {
    const other = mapValue(b, key);
    if (other === undefined) return false;
    const same = equal(value, other);
    if (same !== true) return same;
  }
  return true;
}

export function mapSize(map: JsonMap | ValueMap): number {
  return map.kind === "map" ? map.entries.size : Object.keys(map.json).length;
}

/** The value of a key; undefined where there is none, a failure where the map can't have such a key. */
export function mapValue(map: JsonMap | ValueMap, key: Value): Value | undefined {
  if (map.kind === "map") {
    const text = keyText(key);
    return text === undefined ? undefined : map.entries.get(text)?.[1];
  }
  if (typeof key !== "string") return NO_OVERLOAD;
  const name = isStruct(map) ? unescaped(key) : key;
  return name === undefined ? undefined : field(map, name);
}

/** The keys as rules see them. */
export function mapKeys(map: JsonMap | ValueMap): readonly Value[] {
  if (map.kind === "map") return [...map.entries.values()].map(([key]) => key);
  const names = Object.keys(map.json).filter((name) => fieldNode(map, name) !== undefined);
  return isStruct(map) ? names.map((name) => escaped(name) ?? name) : names;
}
