import { findMapValue, getMapKeys } from "../values/equality.ts";
import { buildMapKey, findEntry } from "../values/map-key.ts";
import { NO_OVERLOAD, type CelValue, buildError, isMap } from "../values/value.ts";
import { buildApiServerLibrary } from "../runtime/function-table.ts";

type Entry = readonly [CelValue, CelValue];

/** Into a map that grows, one entry or all of another map. */
function insert([map = null, ...more]: readonly CelValue[]): CelValue {
  if (!isMap(map) || map.kind !== "map" || map.growing === undefined) return NO_OVERLOAD;
  const entries = listEntries(more);
  if (entries === undefined) return NO_OVERLOAD;
  for (const entry of entries) {
    if (findEntry(map.growing, entry[0]) !== undefined) return buildError("insert failed: key already exists");
    map.growing.set(buildMapKey(entry[0]), entry);
  }
  return map;
}

function listEntries([first = null, value]: readonly CelValue[]): readonly Entry[] | undefined {
  if (value !== undefined) return [[first, value]];
  return isMap(first) ? getMapKeys(first).map((key) => [key, findMapValue(first, key) ?? null]) : undefined;
}

/** Two macros expand to it. */
export const MAPS = buildApiServerLibrary("twoVariables", {
  "cel.@mapInsert": { types: "(map(K, V), K, V) map(K, V) | (map(K, V), map(K, V)) map(K, V)", call: insert },
});
