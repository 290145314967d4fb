import { type Json, isList, isObject } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";

/** Decodes a value of a data file. Throws an error that names the place if it isn't one. */
export type Decoder<T> = (value: Json | undefined, place: string) => T;

export function decodeText(value: Json | undefined, place: string): string {
  return typeof value === "string" ? value : reject(place, "a text");
}

export function decodeNumber(value: Json | undefined, place: string): number {
  return typeof value === "number" ? value : reject(place, "a number");
}

export function decodeFlag(value: Json | undefined, place: string): boolean {
  return typeof value === "boolean" ? value : reject(place, "true or false");
}

export function oneOf<const T extends string | true>(...choices: readonly T[]): Decoder<T> {
  return (value, place) => choices.find((choice) => choice === value) ?? reject(place, choices.join(" or "));
}

export function optional<T>(decode: Decoder<T>): Decoder<T | undefined> {
  return (value, place) => (value === undefined ? undefined : decode(value, place));
}

export function listOf<T>(decode: Decoder<T>): Decoder<readonly T[]> {
  return (value, place) =>
    isList(value) ? value.map((item, i) => decode(item, `${place}[${i}]`)) : reject(place, "a list");
}

/** An object with these keys and no others. */
export function objectOf<T extends object>(fields: { readonly [K in keyof T]-?: Decoder<T[K]> }): Decoder<T>;
export function objectOf(fields: Readonly<Record<string, Decoder<unknown>>>): Decoder<object> {
  return (value, place) => {
    if (!isObject(value)) return reject(place, "an object");
    const unknownKey = Object.keys(value).find((key) => !Object.hasOwn(fields, key));
    if (unknownKey !== undefined) return reject(`${place}.${unknownKey}`, "a key");
    const entries = Object.entries(fields).map(([key, decode]) => [key, decode(value[key], `${place}.${key}`)]);
    return defined(Object.fromEntries(entries));
  };
}

/** An object of the form whose key it has. */
export function formOf<T>(forms: Readonly<Record<string, Decoder<T>>>): Decoder<T> {
  return (value, place) => {
    const form = Object.entries(forms).find(([key]) => isObject(value) && Object.hasOwn(value, key));
    return form === undefined
      ? reject(place, `an object with ${Object.keys(forms).join(" or ")}`)
      : form[1](value, place);
  };
}

function reject(place: string, form: string): never {
  throw new Error(`${place} is not ${form}`);
}
