import type { Json } from "../model/json.ts";
import { identity } from "./identity.ts";
import type { Enum } from "./node.ts";
import { isInt64, whole } from "./numbers.ts";
import { type Scope, fail } from "./scope.ts";
import { listed, shown } from "./words.ts";

export function checkEnum(allowed: Enum | undefined, value: Json, scope: Scope): void {
  if (allowed === undefined || isAmong(value, allowed)) return;
  fail(
    scope,
    "FieldValueNotSupported",
    `The value ${shown(value)} is not supported; supported: ${listed(allowed.values)}`,
  );
}

/** Null is never among the allowed values, even where it is listed: the API server compares no null. */
function isAmong(value: Json, allowed: Enum): boolean {
  if (value === null) return false;
  if (typeof value === "string") return allowed.texts.has(value);
  if (typeof value === "number") return allowed.values.some((one) => equalsNumber(value, one));
  if (typeof value === "boolean") return allowed.values.includes(value);
  const same = identity(value);
  return (
    same === undefined ||
    allowed.values.some((one) => typeof one === "object" && one !== null && identity(one) === same)
  );
}

/** The API server converts the value to the type of the allowed one: a fraction is cut off, an integer becomes a character. */
function equalsNumber(value: number, one: Json): boolean {
  if (typeof one === "number") return isInt64(one) ? whole(value) === one : value === one;
  return typeof one === "string" && isInt64(value) && one === character(value);
}

function character(code: number): string {
  const isOne = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return String.fromCodePoint(isOne ? code : 0xfffd);
}
