import type { Json } from "../../model/json.ts";
import { compareQuantities as compare, parseQuantity } from "../../schema/cel/index.ts";

/** Longer ones are not judged: calculating with them takes long. */
const MAX_CHARACTERS = 100;
const MAX_EXPONENT = /[eE][+-]?\d{3}/;

function isTooLong(text: string): boolean {
  return text.length > MAX_CHARACTERS || MAX_EXPONENT.test(text);
}

export function isQuantity(text: string): boolean {
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
