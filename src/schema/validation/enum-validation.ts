import type { Json } from "../../model/json.ts";
import { buildEqualityKey } from "../structural/equality-key.ts";
import type { AllowedValues } from "../structural/structural-schema.ts";
import { isInt64 } from "../structural/numbers.ts";
import { type ValidationScope, reportError } from "./validation-scope.ts";
import { formatValues, formatValue } from "../structural/value-text.ts";

export function validateEnum(allowed: AllowedValues | undefined, value: Json, scope: ValidationScope): void {
  if (allowed === undefined || isAllowed(value, allowed)) return;
  reportError(
    scope,
    "FieldValueNotSupported",
    `The value ${formatValue(value)} is not supported; supported: ${formatValues(allowed.values)}`,
  );
}

/** Null is never allowed, even if it is listed: the API server does not compare nulls. */
function isAllowed(value: Json, allowed: AllowedValues): boolean {
  if (value === null) return false;
  if (typeof value === "string") return allowed.strings.has(value);
  if (typeof value === "number") return allowed.values.some((one) => isEqualNumber(value, one));
  if (typeof value === "boolean") return allowed.values.includes(value);
  const key = buildEqualityKey(value);
  return (
    key === undefined ||
    allowed.values.some((one) => typeof one === "object" && one !== null && buildEqualityKey(one) === key)
  );
}

/** The API server converts the value to the type of the allowed one: it truncates fractions and turns integers into characters. */
function isEqualNumber(value: number, one: Json): boolean {
  if (typeof one === "number") return isInt64(one) ? Math.trunc(value) === one : value === one;
  return typeof one === "string" && isInt64(value) && one === toCharacter(value);
}

function toCharacter(code: number): string {
  const isOne = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return String.fromCodePoint(isOne ? code : 0xfffd);
}
