/** Any JSON value: the only form in which data from a cluster or a payload enters. */
export type Json = string | JsonNumber | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** An integer of 64 bits that a double may not hold exactly is a bigint, so that it keeps its digits; every other number is a double. */
export type JsonNumber = number | bigint;

declare global {
  interface JSON {
    parse(text: string, revive: (key: string, value: Json, context: { readonly source?: string }) => Json): Json;
    rawJSON(text: string): object;
  }
  interface BigInt {
    toJSON(): object;
  }
}

// JSON.stringify would throw for a bigint, and a replacer at each of its calls would be paid for every value.
Object.defineProperty(BigInt.prototype, "toJSON", {
  configurable: true,
  value(this: bigint): object {
    return JSON.rawJSON(this.toString());
  },
});

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isNumber(value: unknown): value is JsonNumber {
  return typeof value === "number" || typeof value === "bigint";
}

/** As Go decodes an integer: beyond 64 bits it is the nearest double. */
export function toJsonNumber(integer: bigint): JsonNumber {
  const double = Number(integer);
  return Number.isSafeInteger(double) || BigInt.asIntN(64, integer) !== integer ? double : integer;
}

const LONG_DIGITS = /\d{16}/;
const LONG_INTEGER = /(?:^|[\s:,[])-?\d{16,}(?:[\s,\]}]|$)/;

/** Parses a text as JSON with all digits of its integers; throws if it isn't JSON. Only a text with a long integer takes the slow way. */
export function decodeJson(text: string): Json {
  if (LONG_DIGITS.test(text) && LONG_INTEGER.test(text)) return JSON.parse(text, restoreInteger);
  const value: Json = JSON.parse(text);
  return value;
}

function restoreInteger(_: string, value: Json, { source = "" }: { readonly source?: string }): Json {
  if (typeof value !== "number" || Number.isSafeInteger(value) || /[.eE]/.test(source)) return value;
  return toJsonNumber(BigInt(source));
}

/** Parses a text as JSON; undefined if it isn't. */
export function parseJson(text: string): Json | undefined {
  try {
    return decodeJson(text);
  } catch {
    return undefined;
  }
}

/** Parses a text as a JSON object; undefined if it isn't one. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** Values may be nested so deep: the deepest CRDs have some fifty levels, and walking thousands of them overflows the stack. */
export const MAX_DEPTH = 1_000;

/** Whether a value is nested deeper than `levels`. */
export function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value at a path of keys and indexes; undefined if any step of it is absent. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let here: Json | undefined = value;
  for (const step of path) {
    if (isList(here)) here = typeof step === "number" ? here[step] : undefined;
    else if (isObject(here)) here = Object.hasOwn(here, step) ? here[step] : undefined;
    else return undefined;
  }
  return here;
}

export function textAt(value: Json | undefined, ...path: readonly (string | number)[]): string | undefined {
  const text = at(value, ...path);
  return typeof text === "string" ? text : undefined;
}

export function numberAt(value: Json | undefined, ...path: readonly (string | number)[]): number | undefined {
  const number = at(value, ...path);
  return isNumber(number) ? Number(number) : undefined;
}

export function flagAt(value: Json | undefined, ...path: readonly (string | number)[]): boolean | undefined {
  const flag = at(value, ...path);
  return typeof flag === "boolean" ? flag : undefined;
}

/** The list at a path; an empty list if the value is absent or of another type. */
export function listAt(value: Json | undefined, ...path: readonly (string | number)[]): readonly Json[] {
  const list = at(value, ...path);
  return isList(list) ? list : [];
}

/** The object at a path; an empty object if the value is absent or of another type. */
export function objectAt(value: Json | undefined, ...path: readonly (string | number)[]): JsonObject {
  const object = at(value, ...path);
  return isObject(object) ? object : {};
}

/** The objects of the list at a path; items of other types are left out. */
export function objectsAt(value: Json | undefined, ...path: readonly (string | number)[]): readonly JsonObject[] {
  return listAt(value, ...path).filter(isObject);
}

/** The strings of the list at a path; items of other types are left out. */
export function textsAt(value: Json | undefined, ...path: readonly (string | number)[]): readonly string[] {
  return listAt(value, ...path).filter((item) => typeof item === "string");
}

/** JSON text with sorted keys: equal values give equal texts, whatever the order of their keys. */
export function formatCanonicalJson(value: Json): string {
  if (isList(value)) return `[${value.map(formatCanonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => compareText(a, b));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${formatCanonicalJson(item)}`).join(",")}}`;
}

/** Orders by code unit, which is the same in every locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Whether two values are known and differ: an unknown one differs from none. */
export function isDifferent(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

/** The value of a key that comes from outside: "constructor" is the key of none, although every object has it. */
export function findOwn<T>(values: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
