import { type Json, type JsonObject, isList, isObject, textAt } from "../../../src/model/json.ts";
import type { ManifestPath } from "../../../src/model/manifest.ts";

/** An object that differs from a valid one at one place. */
export type MutatedManifest = { readonly object: JsonObject; readonly name: string };

/** What takes the place of a value; undefined if it is left out. */
function listReplacements(value: Json): readonly (Json | undefined)[] {
  if (typeof value === "string") return [undefined, 12, "Bogus", "", ["a"], "-a_B/c d!", "a".repeat(300)];
  if (typeof value === "number") return [undefined, String(value), 1.5, -1, 3_000_000_000, 0, true, 70_000];
  if (typeof value === "boolean") return [undefined, String(value), !value, 1];
  if (isList(value)) return [undefined, {}, [], value.length === 0 ? [null] : [...value, value[0] ?? null]];
  return [undefined, [], {}, null, ...(isObject(value) ? [{ ...value, xUnknown: "1" }] : [])];
}

/** All that differ from an object at one place. */
export function listMutations(object: JsonObject): readonly MutatedManifest[] {
  const places = listPlaces(object, []).filter(([path]) => !["apiVersion", "kind"].includes(String(path[0] ?? "kind")));
  return places.flatMap(([path, value]) =>
    listReplacements(value).map((replacement) => ({
      object: replaceAt(object, path, replacement),
      name: `${textAt(object, "kind")} ${path.join(".")}: ${JSON.stringify(replacement) ?? "left out"}`,
    })),
  );
}

function listPlaces(value: Json, path: ManifestPath): readonly (readonly [path: ManifestPath, value: Json])[] {
  const inner = isList(value)
    ? value.flatMap((item, i) => listPlaces(item, [...path, i]))
    : isObject(value)
      ? Object.entries(value).flatMap(([key, item]) => listPlaces(item, [...path, key]))
      : [];
  return [[path, value], ...inner];
}

function replaceAt(object: JsonObject, [step, ...rest]: ManifestPath, value: Json | undefined): JsonObject {
  const key = String(step);
  const { [key]: old = null, ...others } = object;
  const inner = rest.length === 0 ? value : replaceIn(old, rest, value);
  return inner === undefined ? others : { ...object, [key]: inner };
}

function replaceIn(within: Json, path: ManifestPath, value: Json | undefined): Json {
  if (!isList(within)) return isObject(within) ? replaceAt(within, path, value) : within;
  const [step, ...rest] = path;
  return within.flatMap((item, i) => {
    if (i !== step) return [item];
    if (rest.length > 0) return [replaceIn(item, rest, value)];
    return value === undefined ? [] : [value];
  });
}
