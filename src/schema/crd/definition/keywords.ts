import { type Json, type JsonObject, flagAt, formatCanonicalJson, numberAt } from "../../../model/json.ts";

/** `isSure`: a value that was allowed no longer is. Else that could not be decided. */
export type Tightening = { readonly message: string; readonly isSure: boolean };

export function isTighter(before: JsonObject, after: JsonObject, key: string, sign: 1 | -1): boolean {
  const old = numberAt(before, key);
  const now = numberAt(after, key);
  return now !== undefined && (old === undefined || (now - old) * sign > 0);
}

export function isNewFlag(before: JsonObject, after: JsonObject, key: string): boolean {
  return flagAt(after, key) === true && flagAt(before, key) !== true;
}

export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && formatCanonicalJson(a) === formatCanonicalJson(b));
}

export function describeKeyword(key: string, before: JsonObject, after: JsonObject): string {
  const old = before[key];
  return `Its ${key} is ${shorten(after[key])}, and was ${old === undefined ? "not set" : shorten(old)}.`;
}

const MAX_LENGTH = 80;

export function shorten(value: Json | undefined): string {
  const text = typeof value === "string" ? value : formatCanonicalJson(value ?? null);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}
