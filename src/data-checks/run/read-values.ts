import type { GetResult, ListResult } from "../../model/read.ts";
import {
  jsonToValue,
  buildMapKey,
  type CelValue,
  type MapValue,
  OPTIONAL_NONE,
  buildError,
  buildList,
  buildMissing,
  buildOptional,
} from "../../schema/cel/index.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { CompiledRead } from "../compile/reads.ts";
import { type KeptItem, getKeptObject } from "./kept.ts";

/** The result of a read of a check; undefined if it failed. */
export type KeptResult = GetResult<KeptItem> | ListResult<KeptItem> | undefined;

/** What expressions see of a read. */
export function buildReadValue({ key, definition }: CompiledRead, result: KeptResult): CelValue {
  if (result === undefined) return buildMissing(key);
  if (definition.list === undefined)
    return "value" in result ? buildOptional(buildItem(result.value).value) : OPTIONAL_NONE;
  const kept = "values" in result ? result.values : [];
  const items = kept.map(buildItem);
  const names = Object.keys(definition.index ?? {});
  return buildMap([
    ["served", buildServed(key, result)],
    ["items", buildList(items.map(({ value }) => value))],
    ["byNamespace", buildLookUp(items, ({ object }) => [textAt(object, "metadata", "namespace") ?? ""])],
    ["by", buildMap(names.map((name, i) => [name, buildIndex(items, i)] as const))],
  ]);
}

/** Whether the API server serves the kind. */
export function buildServed(key: string, result: KeptResult): CelValue {
  if (result === undefined) return buildMissing(key);
  return result.kind === "found" || result.what !== "resource";
}

/** What depends on an object with a fault, which is reported once, with the object. */
const REPORTED = buildError("");

type Item = { readonly kept: KeptItem; readonly object: JsonObject; readonly value: CelValue };

function buildItem(kept: KeptItem): Item {
  const object = getKeptObject(kept);
  return { kept, object, value: kept.fault === undefined ? jsonToValue(object) : REPORTED };
}

/** An object without keys could belong to any of them. */
function buildIndex(items: readonly Item[], index: number): CelValue {
  if (items.some(({ kept }) => kept.fault !== undefined)) return REPORTED;
  return buildLookUp(items, ({ kept }) => dropRepeated(kept.keys[index] ?? []));
}

function dropRepeated(keys: readonly string[]): readonly string[] {
  return keys.length < 2 ? keys : [...new Set(keys)];
}

function buildLookUp(items: readonly Item[], getKeys: (item: Item) => readonly string[]): CelValue {
  const groups = new Map<string, CelValue[]>();
  for (const item of items)
    for (const key of getKeys(item)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item.value]);
      else group.push(item.value);
    }
  const sorted = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return buildMap(sorted.map(([key, group]) => [key, buildList(group)] as const));
}

export function buildMap(entries: readonly (readonly [string, CelValue])[]): MapValue {
  return { kind: "map", entries: new Map(entries.map(([key, value]) => [buildMapKey(key), [key, value] as const])) };
}
