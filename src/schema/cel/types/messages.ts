import { NANOS_PER_SECOND, formatDuration, buildTimestamp, formatTimestamp } from "../values/times.ts";
import { findMapValue, getMapKeys } from "../values/equality.ts";
import type { CelValue, MapKey, ObjectValue } from "../values/value.ts";
import {
  buildMapKey,
  UnsupportedError,
  buildBytes,
  buildError,
  buildList,
  getTypeName,
  isError,
  isKind,
  isList,
  isMap,
} from "../values/value.ts";
import { getListValues } from "../values/unstructured.ts";
import { BOOL, BYTES, DOUBLE, DYN, INT, STRING, type Type, UINT, listType, mapType } from "./types.ts";

/** What a field of a message makes of a value, which is a failure if the value is not of the field's type. */
type ToField = (value: CelValue) => CelValue;

const NO_VALUE = buildError("unsupported conversion of a message");
const NO_BYTES = buildBytes(new Uint8Array());

/** A value of its own each time, since a map finds its keys by what they are themselves. */
function buildEmptyMap(): CelValue {
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

const toInt32 = toInteger(32);
const toInt64 = toInteger(64);
const toUint32 = toUnsigned(32);
const toUint64 = toUnsigned(64);

const toText: ToField = (value) => (typeof value === "string" ? value : reject(value));
const toBool: ToField = (value) => (typeof value === "boolean" ? value : reject(value));
const toDouble: ToField = (value) => (typeof value === "number" ? value : reject(value));
const toFloat: ToField = (value) => (typeof value === "number" ? Math.fround(value) : reject(value));
const toBytes: ToField = (value) => (isKind(value, "bytes") ? value : reject(value));

/** Every value of the enumeration is null. */
const toNull: ToField = (value) => {
  const number = value === null ? 0n : toInt32(value);
  return isError(number) ? number : null;
};

function buildDuration(fields: ReadonlyMap<string, CelValue>): CelValue {
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

function buildTime(fields: ReadonlyMap<string, CelValue>): CelValue {
  const time = buildTimestamp(getNanos(fields));
  if (time === undefined) throw new UnsupportedError("a time beyond the years that a calendar has here");
  return time;
}

const toJsonList: ToField = (value) => {
  if (!isList(value)) return reject(value);
  const values = getListValues(value).map(toJson);
  return values.find(isError) ?? buildList(values);
};

const toJsonFields: ToField = (value) => {
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

type Field = { readonly type: Type; readonly convert: (value: CelValue) => CelValue };

/** A message of protobuf that every expression can construct. `build`: its value, from the fields in the order in which they are written. */
export type Message = {
  readonly fields: Readonly<Record<string, Field>>;
  readonly build: (fields: ReadonlyMap<string, CelValue>) => CelValue;
};

function defineWrapper(type: Type, convertValue: Field["convert"], zero: CelValue): Message {
  return { fields: { value: { type, convert: convertValue } }, build: (fields) => fields.get("value") ?? zero };
}

const INT32: Field = { type: INT, convert: toInt32 };
const INT64: Field = { type: INT, convert: toInt64 };
const FIELDS: Field = { type: mapType(STRING, DYN), convert: toJsonFields };
const VALUES: Field = { type: listType(DYN), convert: toJsonList };
const TIME = { seconds: INT64, nanos: INT32 };

const MESSAGES: ReadonlyMap<string, Message> = new Map<string, Message>([
  ["Empty", { fields: {}, build: () => ({ kind: "empty" }) }],
  [
    "Any",
    {
      fields: { type_url: { type: STRING, convert: toText }, value: { type: BYTES, convert: toBytes } },
      build: () => NO_VALUE,
    },
  ],
  ["Duration", { fields: TIME, build: buildDuration }],
  ["Timestamp", { fields: TIME, build: buildTime }],
  ["Struct", { fields: { fields: FIELDS }, build: (fields) => fields.get("fields") ?? buildEmptyMap() }],
  ["ListValue", { fields: { values: VALUES }, build: (fields) => fields.get("values") ?? buildList([]) }],
  [
    "Value",
    {
      fields: {
        null_value: { type: INT, convert: toNull },
        number_value: { type: DOUBLE, convert: toDouble },
        string_value: { type: STRING, convert: toText },
        bool_value: { type: BOOL, convert: toBool },
        struct_value: FIELDS,
        list_value: VALUES,
      },
      build: (fields) => [...fields.values()].at(-1) ?? null,
    },
  ],
  ["BoolValue", defineWrapper(BOOL, toBool, false)],
  ["BytesValue", defineWrapper(BYTES, toBytes, NO_BYTES)],
  ["DoubleValue", defineWrapper(DOUBLE, toDouble, 0)],
  ["FloatValue", defineWrapper(DOUBLE, toFloat, 0)],
  ["Int32Value", defineWrapper(INT, toInt32, 0n)],
  ["Int64Value", defineWrapper(INT, toInt64, 0n)],
  ["StringValue", defineWrapper(STRING, toText, "")],
  ["UInt32Value", defineWrapper(UINT, toUint32, { kind: "uint", value: 0n })],
  ["UInt64Value", defineWrapper(UINT, toUint64, { kind: "uint", value: 0n })],
]);

const PACKAGE = /^\.?google\.protobuf\./;

export function findMessage(name: string): Message | undefined {
  return PACKAGE.test(name) ? MESSAGES.get(name.replace(PACKAGE, "")) : undefined;
}

export function findMessageField({ fields }: Message, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
