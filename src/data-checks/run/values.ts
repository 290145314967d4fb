import type { GetResult, ListResult } from "../../model/read.ts";
import type { CelValue } from "../../schema/cel/index.ts";
import {
  jsonToValue,
  OPTIONAL_NONE,
  buildError,
  buildList,
  buildMissing,
  buildOptional,
} from "../../schema/cel/index.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { buildMap } from "../functions/values.ts";
import type { CompiledRead } from "../compile/reads.ts";
import { type KeptItem, getKeptObject } from "./reads.ts";
import { type Context, formatTarget } from "../../model/check.ts";
import { type Platform, type Version, formatMinor, getOpenShiftOrdinal, leavesMinor } from "../../model/version.ts";

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

type UpdateValues = readonly (readonly [string, CelValue])[];

/** Every command of every finding needs them. */
const known = {
  openshift: new WeakMap<Context, UpdateValues>(),
  kubernetes: new WeakMap<Context, UpdateValues>(),
} as const;

/** The values of UPDATE_NAMES, by name. `ordinals`: the platform whose minors `ordinal` counts. */
export function listUpdateValues(context: Context, ordinals: Platform): UpdateValues {
  const values = known[ordinals].get(context) ?? buildUpdateValues(context, ordinals);
  known[ordinals].set(context, values);
  return values;
}

function buildUpdateValues(context: Context, ordinals: Platform): UpdateValues {
  const { source, target, update, kubernetes } = context;
  const from = { version: source, kubernetes: kubernetes.source, text: formatTarget({ ...context, target: source }) };
  const to = { version: target, kubernetes: kubernetes.target, text: formatTarget(context) };
  return [
    ["@source", BigInt(getOpenShiftOrdinal(kubernetes.source))],
    ["@target", BigInt(getOpenShiftOrdinal(kubernetes.target))],
    ["source", buildRelease(from, ordinals)],
    ["target", buildRelease(to, ordinals)],
    [
      "update",
      buildMap([
        ["kind", update],
        ["leavesMinor", leavesMinor(context)],
      ]),
    ],
  ];
}

/** `kubernetes`: the minor of Kubernetes that it contains or is. */
type ReleaseParts = { readonly version: Version; readonly kubernetes: number; readonly text: string };

function buildRelease({ version, kubernetes, text }: ReleaseParts, ordinals: Platform): CelValue {
  const minors = { openshift: BigInt(getOpenShiftOrdinal(kubernetes)), kubernetes: BigInt(kubernetes) };
  return buildMap([
    ["version", version.text],
    ["minor", formatMinor(version)],
    ["ordinal", minors[ordinals]],
    ...Object.entries(minors),
    ["pre", buildList(version.pre)],
    ["text", text],
  ]);
}

/** What stands for them in a text that belongs to no update. */
export function listGeneralValues(): readonly (readonly [string, CelValue])[] {
  return ["source", "target"].map((name) => {
    const placeholder = `<${name}>`;
    return [name, buildMap(["version", "minor", "text"].map((field) => [field, placeholder] as const))] as const;
  });
}
