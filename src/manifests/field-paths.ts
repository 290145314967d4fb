import { type Json, isList, isObject, textAt } from "../model/json.ts";
import type { ManifestPath } from "../model/manifest.ts";

/**
 * The path that a text such as "spec.list[0].map.key" or "metadata.labels[app]" names in an object. Keys may hold dots, so that only the
 * object tells where one ends; what it does not have is read as names alone.
 */
export function parseFieldPath(object: Json, text: string): ManifestPath {
  const path: (string | number)[] = [];
  let here: Json | undefined = object;
  let rest = text;
  while (rest !== "") {
    const [step, length] = takeStep(here, rest);
    path.push(step);
    here = isList(here) && typeof step === "number" ? here[step] : isObject(here) ? here[step] : undefined;
    rest = rest.slice(length);
  }
  return path;
}

function takeStep(here: Json | undefined, rest: string): readonly [step: string | number, length: number] {
  const index = /^\[(\d+)\]/.exec(rest);
  if (index !== null && !isObject(here)) return [Number(index[1]), index[0].length];
  const dot = rest.startsWith(".") ? 1 : 0;
  const key = isObject(here) ? findLongestKey(Object.keys(here), rest, dot) : undefined;
  if (key !== undefined) return key;
  const bracket = /^\[([^\]]*)\]/.exec(rest);
  if (bracket !== null) return [findItem(here, bracket[1] ?? ""), bracket[0].length];
  const [name = ""] = /^[^.[]*/.exec(rest.slice(dot)) ?? [];
  // A path that is no path must end too.
  return name === "" ? [rest, rest.length] : [name, dot + name.length];
}

/** An item of a list by its name, as "containers[web]"; what has none stays a name. */
function findItem(here: Json | undefined, name: string): string | number {
  const index = isList(here) ? here.findIndex((item) => textAt(item, "name") === name) : -1;
  return index < 0 ? name : index;
}

function findLongestKey(
  keys: readonly string[],
  rest: string,
  dot: number,
): readonly [key: string, length: number] | undefined {
  const found = keys.flatMap((key): readonly (readonly [string, number])[] => {
    if (rest.startsWith(`[${key}]`)) return [[key, key.length + 2]];
    const end = dot + key.length;
    const isWhole = rest.startsWith(key, dot) && (end === rest.length || rest[end] === "." || rest[end] === "[");
    return isWhole && end > 0 ? [[key, end]] : [];
  });
  return found.toSorted(([, a], [, b]) => b - a)[0];
}
