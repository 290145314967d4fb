import { BOOL, BYTES, DOUBLE, DYN, INT, STRING, type Type, UINT, listType, mapType } from "./types.ts";
import { type CelValue, buildList } from "../values/value.ts";
import {
  NO_BYTES,
  NO_VALUE,
  buildDuration,
  buildEmptyMap,
  buildTime,
  toBool,
  toBytes,
  toDouble,
  toFloat,
  toInt32,
  toInt64,
  toJsonFields,
  toJsonList,
  toNull,
  toText,
  toUint32,
  toUint64,
} from "../values/message-fields.ts";

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
