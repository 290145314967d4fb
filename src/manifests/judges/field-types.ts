import { type Json, type JsonNumber, isList, isNumber, isObject } from "../../model/json.ts";
import { quoteText } from "../../model/text.ts";
import { compareQuantities as compare, parseQuantity } from "../../schema/cel/index.ts";

/** What a decoder of the API server takes for a value; `edit`: what a text says in the right type. */
export type FieldType = {
  readonly wanted: string;
  readonly accepts: (value: Json) => boolean;
  readonly edit?: (text: string) => Json | undefined;
};

const MAX_INT32 = 2 ** 31;

function isInteger(value: Json): value is JsonNumber {
  return typeof value === "bigint" || Number.isSafeInteger(value) || (typeof value === "number" && isWholeInt64(value));
}

function isWholeInt64(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

function isInt32(value: Json): boolean {
  return isInteger(value) && value >= -MAX_INT32 && value < MAX_INT32;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-](?:[01]\d|2[0-4]):[0-5]\d)$/;

function isText(value: Json): value is string {
  return typeof value === "string";
}

function toInteger(text: string): Json | undefined {
  return /^(?:0|-?[1-9]\d{0,8})$/.test(text) ? Number(text) : undefined;
}

function toFlag(text: string): Json | undefined {
  return text === "true" || text === "false" ? text === "true" : undefined;
}

export const FIELD_TYPES: Readonly<Record<string, FieldType>> = {
  boolean: { wanted: "true or false", accepts: (value) => typeof value === "boolean", edit: toFlag },
  bytes: { wanted: "base64", accepts: (value) => isText(value) && BASE64.test(value.replaceAll(/[\r\n]/g, "")) },
  int32: { wanted: "a 32-bit integer", accepts: isInt32, edit: toInteger },
  integer: { wanted: "an integer", accepts: isInteger, edit: toInteger },
  number: { wanted: "a number", accepts: isNumber },
  numberOrText: { wanted: "an integer or a string", accepts: (value) => isText(value) || isInt32(value) },
  quantity: {
    wanted: 'a quantity such as 500m or "1.5Gi"',
    accepts: (value) => isNumber(value) || (isText(value) && isQuantity(value)),
  },
  string: { wanted: "a string", accepts: isText },
  time: { wanted: 'a time such as "2026-01-31T00:00:00Z"', accepts: (value) => isText(value) && TIME.test(value) },
};

export function describeValue(value: Json): string {
  if (isObject(value)) return "a map";
  if (isList(value)) return "a list";
  if (value === "") return "an empty string";
  return isText(value) ? `the string ${quoteText(value, MAX_SHOWN)}` : String(value);
}

/** Characters of a value. */
const MAX_SHOWN = 60;

/** Longer ones are not judged: calculating with them takes long. */
const MAX_CHARACTERS = 100;
const MAX_EXPONENT = /[eE][+-]?\d{3}/;

function isTooLong(text: string): boolean {
  return text.length > MAX_CHARACTERS || MAX_EXPONENT.test(text);
}

function isQuantity(text: string): boolean {
  return isTooLong(text) || parseQuantity(text) !== undefined;
}

/** Less than, equal to or greater than zero; undefined if one of them is no quantity. */
export function compareQuantities(a: Json, b: Json): number | undefined {
  const first = readQuantity(a);
  const second = readQuantity(b);
  return first === undefined || second === undefined ? undefined : compare(first, second);
}

function readQuantity(value: Json): ReturnType<typeof parseQuantity> {
  const text = typeof value === "number" ? JSON.stringify(value) : value;
  return typeof text !== "string" || isTooLong(text) ? undefined : parseQuantity(text);
}
