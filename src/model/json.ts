/** What JSON can hold: the only shape in which anything from a cluster or a payload enters. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON object that a text holds, or undefined where it is none. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value at a path of keys and indexes, or undefined where there is none on the way. */
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
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

export function numberAt(value: Json | undefined, ...path: readonly (string | number)[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === "number" ? found : undefined;
}

export function flagAt(value: Json | undefined, ...path: readonly (string | number)[]): boolean | undefined {
  const found = at(value, ...path);
  return typeof found === "boolean" ? found : undefined;
}

/** The list at a path; an absent or other value counts as an empty list. */
export function listAt(value: Json | undefined, ...path: readonly (string | number)[]): readonly Json[] {
  const found = at(value, ...path);
  return isList(found) ? found : [];
}

/** The object at a path; an absent or other value counts as an empty object. */
export function objectAt(value: Json | undefined, ...path: readonly (string | number)[]): JsonObject {
  const found = at(value, ...path);
  return isObject(found) ? found : {};
}

/** The strings of the list at a path, others left out. */
export function textsAt(value: Json | undefined, ...path: readonly (string | number)[]): readonly string[] {
  return listAt(value, ...path).filter((item) => typeof item === "string");
}

/** JSON text with sorted keys: equal for equal values, whatever order they were written in. */
export function formatCanonicalJson(value: Json): string {
  if (isList(value)) return `[${value.map(formatCanonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => compareText(a, b));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${formatCanonicalJson(item)}`).join(",")}}`;
}

/** Order by code unit, the same on every machine whatever its locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
