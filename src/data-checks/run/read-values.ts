import type { GetResult, ListResult } from "../../model/read.ts";
import { jsonToValue } from "../../schema/cel/runtime/values/unstructured.ts";
import { buildMapKey } from "../../schema/cel/runtime/values/map-key.ts";
import {
  type CelValue,
  type MapValue,
  OPTIONAL_NONE,
  buildError,
  buildList,
  buildMissing,
  buildOptional,
} from "../../schema/cel/runtime/values/value.ts";
import { textAt } from "../../model/json.ts";
import type { CompiledRead } from "../compile/reads.ts";
import type { KeptItem } from "./kept.ts";

/** The result of a read of a check; undefined if it failed. */
export type KeptResult = GetResult<KeptItem> | ListResult<KeptItem> | undefined;

/** What expressions see of a read. */
export function buildReadValue({ key, definition }: CompiledRead, result: KeptResult): CelValue {
  if (result === undefined) return buildMissing(key);
  if (definition.list === undefined) return buildGetValue(result);
  const kept = "values" in result ? result.values : [];
  const items = kept.map((one) => [one, toItem(one)] as const);
  const names = Object.keys(definition.index ?? {});
  return buildMap([
    ["served", buildServed(key, result)],
    ["items", buildList(items.map(([, item]) => item))],
    ["byNamespace", buildLookUp(items, ({ object }) => [textAt(object, "metadata", "namespace") ?? ""])],
    ["by", buildMap(names.map((name, i) => [name, buildIndex(items, i)] as const))],
  ]);
}

/** Whether the API server serves the kind. */
export function buildServed(key: string, result: KeptResult): CelValue {
  if (result === undefined) return buildMissing(key);
  return result.kind === "found" || result.what !== "resource";
}

function buildGetValue(result: NonNullable<KeptResult>): CelValue {
  if (!("value" in result)) return OPTIONAL_NONE;
  return buildOptional(toItem(result.value));
}

/** What depends on an object with a fault, which is reported once, with the object. */
const REPORTED = buildError("");

function toItem({ object, fault }: KeptItem): CelValue {
  return fault === undefined ? jsonToValue(object) : REPORTED;
}

type Items = readonly (readonly [kept: KeptItem, item: CelValue])[];

/** An object without keys could belong to any of them. */
function buildIndex(items: Items, index: number): CelValue {
  if (items.some(([{ fault }]) => fault !== undefined)) return REPORTED;
  return buildLookUp(items, ({ keys }) => keys[index] ?? []);
}

function buildLookUp(items: Items, getKeys: (kept: KeptItem) => readonly string[]): CelValue {
  const groups = new Map<string, CelValue[]>();
  for (const [kept, item] of items)
    for (const key of new Set(getKeys(kept))) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  const sorted = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return buildMap(sorted.map(([key, group]) => [key, buildList(group)] as const));
}

export function buildMap(entries: readonly (readonly [string, CelValue])[]): MapValue {
  return { kind: "map", entries: new Map(entries.map(([key, value]) => [buildMapKey(key), [key, value] as const])) };
}
