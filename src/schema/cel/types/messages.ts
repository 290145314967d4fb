import { BOOL, BYTES, DOUBLE, DYN, INT, STRING, type Type, UINT, listType, mapType } from "./types.ts";
import { type CelValue, buildList } from "../values/value.ts";
import * as convert from "../values/message-fields.ts";

type Field = { readonly type: Type; readonly convert: (value: CelValue) => CelValue };

/** A message of protobuf that every expression can construct. `build`: its value, from the fields in the order in which they are written. */
export type Message = {
  readonly fields: Readonly<Record<string, Field>>;
  readonly build: (fields: ReadonlyMap<string, CelValue>) => CelValue;
};

function defineWrapper(type: Type, convertValue: Field["convert"], zero: CelValue): Message {
  return {
    fields: { value: { type, convert: convertValue } },
    build: (fields) => fields.get("value") ?? zero,
  };
}

const INT32: Field = { type: INT, convert: convert.toInt32 };
const INT64: Field = { type: INT, convert: convert.toInt64 };
const FIELDS: Field = { type: mapType(STRING, DYN), convert: convert.toJsonFields };
const VALUES: Field = { type: listType(DYN), convert: convert.toJsonList };
const TIME = { seconds: INT64, nanos: INT32 };

const MESSAGES: ReadonlyMap<string, Message> = new Map<string, Message>([
  ["Empty", { fields: {}, build: () => ({ kind: "empty" }) }],
  [
    "Any",
    {
      fields: {
        type_url: { type: STRING, convert: convert.toText },
        value: { type: BYTES, convert: convert.toBytes },
      },
      build: () => convert.NO_VALUE,
    },
  ],
  ["Duration", { fields: TIME, build: convert.buildDuration }],
  ["Timestamp", { fields: TIME, build: convert.buildTime }],
  ["Struct", { fields: { fields: FIELDS }, build: (fields) => fields.get("fields") ?? convert.buildEmptyMap() }],
  ["ListValue", { fields: { values: VALUES }, build: (fields) => fields.get("values") ?? buildList([]) }],
  [
    "Value",
    {
      fields: {
        null_value: { type: INT, convert: convert.toNull },
        number_value: { type: DOUBLE, convert: convert.toDouble },
        string_value: { type: STRING, convert: convert.toText },
        bool_value: { type: BOOL, convert: convert.toBool },
        struct_value: FIELDS,
        list_value: VALUES,
      },
      build: (fields) => [...fields.values()].at(-1) ?? null,
    },
  ],
  ["BoolValue", defineWrapper(BOOL, convert.toBool, false)],
  ["BytesValue", defineWrapper(BYTES, convert.toBytes, convert.NO_BYTES)],
  ["DoubleValue", defineWrapper(DOUBLE, convert.toDouble, 0)],
  ["FloatValue", defineWrapper(DOUBLE, convert.toFloat, 0)],
  ["Int32Value", defineWrapper(INT, convert.toInt32, 0n)],
  ["Int64Value", defineWrapper(INT, convert.toInt64, 0n)],
  ["StringValue", defineWrapper(STRING, convert.toText, "")],
  ["UInt32Value", defineWrapper(UINT, convert.toUint32, { kind: "uint", value: 0n })],
  ["UInt64Value", defineWrapper(UINT, convert.toUint64, { kind: "uint", value: 0n })],
]);

const PACKAGE = /^\.?google\.protobuf\./;

export function findMessage(name: string): Message | undefined {
  return PACKAGE.test(name) ? MESSAGES.get(name.replace(PACKAGE, "")) : undefined;
}

export function findMessageField({ fields }: Message, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
