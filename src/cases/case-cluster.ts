import { type Json, type JsonObject, isList, isObject, textAt } from "../model/json.ts";
import { patchValue } from "./case-patch.ts";
import { buildKubernetesDefaults, buildOpenShiftDefaults, listDefaultItems } from "./defaults.ts";

/** What every cluster holds, then what the base of a case says of it, then the case. */
export function buildCluster(source: Json | undefined, layers: readonly JsonObject[]): JsonObject {
  const reads = new Map<string, Json>(Object.entries(buildDefaults(source)));
  for (const [path, value] of layers.flatMap((layer) => Object.entries(layer))) {
    if (!path.startsWith("/")) throw new Error(`cluster: ${path} is no API path`);
    reads.set(path, patchRead(reads.get(path), value));
  }
  const isOpenShift = typeof source === "string";
  return Object.fromEntries(
    [...reads].map(([path, value]) => [path, isList(value) ? buildList(path, value, isOpenShift) : value]),
  );
}

function buildDefaults(source: Json | undefined): JsonObject {
  if (typeof source === "string") return buildOpenShiftDefaults(source);
  const version = textAt(source, "kubernetes");
  if (version !== undefined) return buildKubernetesDefaults(version);
  throw new Error("source: give the cluster's version, 4.18.5 or {kubernetes: v1.31.4}");
}

/** One read in a recording's format: null means absent. An error holds nothing that could be changed, and changes nothing. */
function patchRead(before: Json | undefined, value: Json): Json {
  if (value === null) return { error: "404 not found" };
  return isError(before) || isError(value) ? value : patchValue(before, value);
}

function isError(value: Json | undefined): boolean {
  return isObject(value) && value["error"] !== undefined && value["kind"] === undefined;
}

/** What every cluster has is in the list, too; `{items: [...]}` is a list without it. */
function buildList(path: string, items: readonly Json[], isOpenShift: boolean): JsonObject {
  const names = new Set(items.map((item) => textAt(item, "metadata", "name")));
  const missing = listDefaultItems(path, isOpenShift).filter((item) => !names.has(textAt(item, "metadata", "name")));
  return { items: [...items, ...missing] };
}
