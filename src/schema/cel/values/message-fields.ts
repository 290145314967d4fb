import { NANOS_PER_SECOND, formatDuration } from "./duration.ts";
import { findMapValue, getMapKeys } from "./equality.ts";
import { buildMapKey } from "./map-key.ts";
import { buildTimestamp, formatTimestamp } from "./timestamp.ts";
import { getListValues } from "./unstructured.ts";
import {
  type CelValue,
  type MapKey,
  type ObjectValue,
  UnsupportedError,
  buildBytes,
  buildError,
  buildList,
  getTypeName,
  isError,
  isKind,
  isList,
  isMap,
} from "./value.ts";

/** What a field of a message makes of a value, which is a failure if the value is not of the field's type. */
type ToField = (value: CelValue) => CelValue;

export const NO_VALUE = buildError("unsupported conversion of a message");
export const NO_BYTES = buildBytes(new Uint8Array());

/** A value of its own each time, since a map finds its keys by what they are themselves. */
export function buildEmptyMap(): CelValue {
  return { kind: "map", entries: new Map() };
}

function reject(value: CelValue): CelValue {
  return buildError(`field type conversion error from ${getTypeName(value)}`);
}

function toInteger(bits: number): ToField {
  return (value) => {
    if (typeof value !== "bigint") return reject(value);
    return BigInt.asIntN(bits, value) === value ? value : buildError("integer overflow");
  };
}

function toUnsigned(bits: number): ToField {
  return (value) => {
    if (!isKind(value, "uint")) return reject(value);
    return BigInt.asUintN(bits, value.value) === value.value ? value : buildError("unsigned integer overflow");
  };
}

export const toInt32 = toInteger(32);
export const toInt64 = toInteger(64);
export const toUint32 = toUnsigned(32);
export const toUint64 = toUnsigned(64);

export const toText: ToField = (value) => (typeof value === "string" ? value : reject(value));
export const toBool: ToField = (value) => (typeof value === "boolean" ? value : reject(value));
export const toDouble: ToField = (value) => (typeof value === "number" ? value : reject(value));
export const toFloat: ToField = (value) => (typeof value === "number" ? Math.fround(value) : reject(value));
export const toBytes: ToField = (value) => (isKind(value, "bytes") ? value : reject(value));

/** Every value of the enumeration is null. */
export const toNull: ToField = (value) => {
  const number = value === null ? 0n : toInt32(value);
  return isError(number) ? number : null;
};

export function buildDuration(fields: ReadonlyMap<string, CelValue>): CelValue {
  const total = getNanos(fields);
  const least = -(2n ** 63n);
  const most = 2n ** 63n - 1n;
  return { kind: "duration", nanos: total < least ? least : total > most ? most : total };
}

function getNanos(fields: ReadonlyMap<string, CelValue>): bigint {
  const seconds = fields.get("seconds") ?? 0n;
  const nanos = fields.get("nanos") ?? 0n;
  if (typeof seconds !== "bigint" || typeof nanos !== "bigint") return 0n;
  return seconds * NANOS_PER_SECOND + nanos;
}

export function buildTime(fields: ReadonlyMap<string, CelValue>): CelValue {
  const time = buildTimestamp(getNanos(fields));
  if (time === undefined) throw new UnsupportedError("a time beyond the years that a calendar has here");
  return time;
}

export const toJsonList: ToField = (value) => {
  if (!isList(value)) return reject(value);
  const values = getListValues(value).map(toJson);
  return values.find(isError) ?? buildList(values);
};

export const toJsonFields: ToField = (value) => {
  if (!isMap(value)) return reject(value);
  const entries = new Map<MapKey, readonly [CelValue, CelValue]>();
  for (const key of getMapKeys(value)) {
    const member = toJson(findMapValue(value, key) ?? null);
    if (typeof key !== "string" || isError(member)) return isError(member) ? member : reject(key);
    entries.set(buildMapKey(key), [key, member]);
  }
  return { kind: "map", entries };
};

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** A value as JSON holds it. An integer that a double can't hold is a text. */
function toJson(value: CelValue): CelValue {
  if (typeof value === "bigint") return value > MAX_SAFE || value < -MAX_SAFE ? String(value) : Number(value);
  return typeof value === "object" && value !== null ? toJsonObject(value) : value;
}

function toJsonObject(value: ObjectValue): CelValue {
  if (value.kind === "uint") return toJson(value.value);
  if (value.kind === "bytes") return Buffer.from(value.bytes).toString("base64");
  if (value.kind === "duration") return formatDuration(value);
  if (value.kind === "timestamp") return formatTimestamp(value);
  if (value.kind === "map") return toJsonFields(value);
  if (value.kind === "empty") return buildEmptyMap();
  // Lists of an object have no conversion.
  if (value.kind === "list") return value.json === undefined ? toJsonList(value) : reject(value);
  if (value.kind !== "optional") return reject(value);
  return value.value === undefined ? buildError("optional.none() dereference") : toJson(value.value);
}
