import { type Json, toJsonNumber } from "../../model/json.ts";
import type { CelValue, MapValue, Meter, ObjectValue } from "../../schema/cel/index.ts";
import {
  BYTES,
  countMemory,
  countWork,
  buildMapKey,
  findMapValue,
  getMapKeys,
  getListValues,
  isList,
  isMap,
  formatDuration,
  formatTimestamp,
  isError,
  isKind,
  unwrapOptional,
} from "../../schema/cel/index.ts";
import type { ObjectRef } from "../../model/resource.ts";

const MEMBER_WORK = 4;

/** A value of an expression as JSON; undefined if it has none, as a time, or a map with other keys than texts. */
export function valueToJson(value: CelValue, meter: Meter): Json | undefined {
  countWork(meter, MEMBER_WORK);
  countMemory(meter, BYTES.scalar);
  if (isList(value)) return collect(getListValues(value).map((item) => valueToJson(item, meter)));
  if (isMap(value))
    return mapToJson(
      getMapKeys(value).map((key) => [key, findMapValue(value, key) ?? null]),
      meter,
    );
  if (typeof value === "bigint") return toJsonNumber(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "object" && value !== null ? undefined : value;
}

function mapToJson(entries: readonly (readonly [CelValue, CelValue])[], meter: Meter): Json | undefined {
  const names = entries.map(([key]) => key).filter((key) => typeof key === "string");
  const values = collect(entries.map(([, value]) => valueToJson(value, meter)));
  if (values === undefined || names.length < entries.length) return undefined;
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? null]));
}

function collect(values: readonly (Json | undefined)[]): readonly Json[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length < values.length ? undefined : known;
}

/** As many parts of a value are written: more than anybody reads. */
const MOST_PARTS = 10_000;

/** How many parts of a value may still be written. */
export type ValueRoom = { left: number };

/** A value as CEL writes it. */
export function formatValue(value: CelValue, room: ValueRoom = { left: MOST_PARTS }): string {
  room.left--;
  if (room.left < 0) return "...";
  if (isList(value)) return `[${formatParts(getListValues(value), (item) => formatValue(item, room), room)}]`;
  if (isMap(value)) {
    const formatEntry = (key: CelValue): string =>
      `${formatValue(key, room)}: ${formatValue(findMapValue(value, key) ?? null, room)}`;
    return `{${formatParts(getMapKeys(value), formatEntry, room)}}`;
  }
  if (isKind(value, "optional"))
    return value.value === undefined ? "none" : `optional(${formatValue(value.value, room)})`;
  if (isKind(value, "semver")) {
    const { parts, prerelease } = value;
    return `semver(${parts.join(".")}${prerelease.length === 0 ? "" : `-${prerelease.join(".")}`})`;
  }
  if (typeof value === "number") return Number.isInteger(value) ? value.toFixed(1) : String(value);
  if (typeof value === "bigint") return String(value);
  return typeof value === "object" && value !== null ? formatOther(value) : JSON.stringify(value);
}

/** Of what there is no room for, "..." stands. */
export function formatParts(parts: readonly CelValue[], format: (part: CelValue) => string, room: ValueRoom): string {
  const texts: string[] = [];
  for (const part of parts) {
    texts.push(room.left > 0 ? format(part) : "...");
    if (room.left <= 0) break;
  }
  return texts.join(", ");
}

function formatOther(value: ObjectValue): string {
  if (isKind(value, "timestamp")) return `timestamp(${JSON.stringify(formatTimestamp(value))})`;
  if (isKind(value, "duration")) return `duration(${JSON.stringify(formatDuration(value))})`;
  if (isKind(value, "uint")) return `${value.value}u`;
  if (isKind(value, "url")) return `url(${JSON.stringify(value.text)})`;
  if (isKind(value, "type")) return value.name;
  if (isError(value)) return `no value: ${value.text || "a read failed"}`;
  return `<${value.kind}>`;
}

/** The reference to an object, or to what a map with apiVersion, kind, perhaps namespace, and name stands for. */
export function findRef(value: CelValue): ObjectRef | undefined {
  const object = unwrapOptional(value);
  const metadata = findMember(object, "metadata");
  const named = metadata === undefined ? object : metadata;
  const kind = findText(object, "kind");
  const name = findText(named, "name");
  if (!kind || !name) return undefined;
  const namespace = findText(named, "namespace") || undefined;
  return { apiVersion: findText(object, "apiVersion") ?? "", kind, namespace, name };
}

export function buildMap(entries: readonly (readonly [string, CelValue])[]): MapValue {
  return { kind: "map", entries: new Map(entries.map(([key, value]) => [buildMapKey(key), [key, value] as const])) };
}

export function findMember(value: CelValue | undefined, name: string): CelValue | undefined {
  return value !== undefined && isMap(value) ? findMapValue(value, name) : undefined;
}

export function findText(value: CelValue | undefined, name: string): string | undefined {
  const text = findMember(value, name);
  return typeof text === "string" ? text : undefined;
}
