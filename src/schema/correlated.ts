import { type Json, type JsonObject, isList, isObject } from "../model/json.ts";
import { identity } from "./identity.ts";
import { type Node, additionalNode } from "./node.ts";
import { isInt64 } from "./numbers.ts";

/**
 * A value of an object that is written and the stored value that it takes the place of, as far as the API server can tell
 * (k8s.io/apiserver, pkg/cel/common/equality.go). What it finds out is kept: equality is asked for again and again on the way up.
 */
export type Correlated = {
  readonly node: Node;
  readonly value: Json;
  readonly old: Json;
  readonly below: Map<string | number, Correlated>;
  byKey: ReadonlyMap<string, JsonObject> | undefined;
  equal: boolean | undefined;
};

export function correlate(node: Node, value: Json, old: Json): Correlated {
  return { node, value, old, below: new Map(), byKey: undefined, equal: undefined };
}

/** The field of both, undefined where one of them or the schema lacks it. */
export function fieldOf(of: Correlated, field: string): Correlated | undefined {
  const known = of.below.get(field);
  if (known || !isObject(of.value) || !isObject(of.old)) return known;
  const [value, old] = [own(of.value, field), own(of.old, field)];
  const node = of.node.properties.get(field) ?? additionalNode(of.node);
  if (value === undefined || old === undefined || node === undefined) return undefined;
  return remember(of, field, correlate(node, value, old));
}

/** The item and the stored one with the same keys; items of lists that are no maps have no counterpart. */
export function itemOf(of: Correlated, index: number): Correlated | undefined {
  const known = of.below.get(index);
  if (known || !isList(of.value) || !isList(of.old)) return known;
  const { items, listType } = of.node;
  const value = of.value[index];
  if (items === undefined || value === undefined || listType?.kind !== "map") return undefined;
  of.byKey ??= firstByKey(of.old, listType.keys);
  const key = keyOf(value, listType.keys);
  const old = key === undefined ? undefined : of.byKey.get(key);
  return old && remember(of, index, correlate(items, value, old));
}

function remember(of: Correlated, step: string | number, below: Correlated): Correlated {
  of.below.set(step, below);
  return below;
}

function own(object: JsonObject, field: string): Json | undefined {
  return Object.hasOwn(object, field) ? object[field] : undefined;
}

function firstByKey(list: readonly Json[], keys: readonly string[]): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const item of list) {
    const key = keyOf(item, keys);
    if (key !== undefined && isObject(item) && !found.has(key)) found.set(key, item);
  }
  return found;
}

/** Undefined where a key is missing or no scalar: defaults were put in before, so nothing stands in for it. */
function keyOf(item: Json, keys: readonly string[]): string | undefined {
  if (!isObject(item) || keys.length === 0) return undefined;
  const parts = keys.map((key) => keyText(own(item, key), keys.length > 1));
  return parts.includes(undefined) ? undefined : parts.join("\u0000");
}

/** Of several keys the API server writes numbers with six decimals. */
function keyText(value: Json | undefined, isOneOfSeveral: boolean): string | undefined {
  if (typeof value === "number") return isOneOfSeveral && !isInt64(value) ? value.toFixed(6) : String(value);
  return typeof value === "string" || typeof value === "boolean" ? JSON.stringify(value) : undefined;
}

/**
 * Would the API server say that nothing changed? A map with fields that the schema doesn't name never counts as unchanged, nor does a
 * list that is a map and has an item without its keys.
 */
export function isUnchanged(of: Correlated): boolean {
  of.equal ??= compare(of);
  return of.equal;
}

function compare(of: Correlated): boolean {
  const { value, old } = of;
  if (value === null || old === null) return value === old;
  if (isList(value)) return isList(old) && sameList(of, value, old);
  if (isObject(value)) return isObject(old) && sameMap(of, value, old);
  return value === old;
}

function sameList(of: Correlated, value: readonly Json[], old: readonly Json[]): boolean {
  if (value.length !== old.length) return false;
  if (of.node.listType?.kind !== "map") return value === old || identity(value) === identity(old);
  return value.every((_, i) => isUnchangedChild(itemOf(of, i)));
}

function sameMap(of: Correlated, value: JsonObject, old: JsonObject): boolean {
  const keys = Object.keys(value);
  return keys.length === Object.keys(old).length && keys.every((key) => isUnchangedChild(fieldOf(of, key)));
}

function isUnchangedChild(child: Correlated | undefined): boolean {
  return child !== undefined && isUnchanged(child);
}
