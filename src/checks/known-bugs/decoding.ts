import { type Json, isList, isObject } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";

/** Decodes a value of a data file. Throws an error that names the place if it isn't one. */
export type Decoder<T> = (value: Json | undefined, place: string) => T;

export function decodeText(value: Json | undefined, place: string): string {
  return typeof value === "string" ? value : reject(place, "a text");
}

export function oneOf<const T extends string>(...choices: readonly T[]): Decoder<T> {
  return (value, place) => choices.find((choice) => choice === value) ?? reject(place, choices.join(" or "));
}

export function optional<T>(decode: Decoder<T>): Decoder<T | undefined> {
  return (value, place) => (value === undefined ? undefined : decode(value, place));
}

export function listOf<T>(decode: Decoder<T>): Decoder<readonly T[]> {
  return (value, place) =>
    isList(value) ? value.map((item, i) => decode(item, `${place}[${i}]`)) : reject(place, "a list");
}

/** A map with any keys. */
export function mapOf<T>(decode: Decoder<T>): Decoder<Readonly<Record<string, T>>> {
  return (value, place) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, decode(member, `${place}.${key}`)]))
      : reject(place, "a map");
}

type Fields<T> = { readonly [K in keyof T]-?: Decoder<T[K]> };
type AnyFields = Readonly<Record<string, Decoder<unknown>>>;

/** An object with these keys and no others. */
export function objectOf<T extends object>(fields: Fields<T>): Decoder<T>;
export function objectOf(fields: AnyFields): Decoder<object> {
  return (value, place) => {
    if (!isObject(value)) return reject(place, "an object");
    const unknownKey = Object.keys(value).find((key) => !Object.hasOwn(fields, key));
    if (unknownKey !== undefined) return reject(`${place}.${unknownKey}`, "a key");
    const entries = Object.entries(fields).map(([key, decode]) => [key, decode(value[key], `${place}.${key}`)]);
    return defined(Object.fromEntries(entries));
  };
}

function reject(place: string, form: string): never {
  throw new Error(`${place} is not ${form}`);
}
