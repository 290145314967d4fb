import { type Json, type JsonObject, at, isList, isObject } from "../../../model/json.ts";
import { buildEqualityKey } from "./equality-key.ts";
import { type StructuralSchema, getFieldSchema } from "./structural-schema.ts";
import { isInt64 } from "./numbers.ts";

/**
 * A value that is written and the stored value that it replaces, as far as the API server can match them (k8s.io/apiserver,
 * pkg/cel/common/equality.go). Comparisons are cached, because each level above needs them again.
 */
export type CorrelatedObject = {
  readonly schema: StructuralSchema;
  readonly value: Json;
  readonly oldValue: Json;
  readonly children: Map<string | number, CorrelatedObject>;
  oldByKey: ReadonlyMap<string, JsonObject> | undefined;
  isEqual: boolean | undefined;
};

export function correlate(schema: StructuralSchema, value: Json, oldValue: Json): CorrelatedObject {
  return { schema, value, oldValue, children: new Map(), oldByKey: undefined, isEqual: undefined };
}

/** The same field or item of both values; undefined if it has no counterpart. */
export function correlateChild(correlated: CorrelatedObject, step: string | number): CorrelatedObject | undefined {
  const cached = correlated.children.get(step);
  if (cached) return cached;
  const child = typeof step === "number" ? correlateItem(correlated, step) : correlateField(correlated, step);
  if (child) correlated.children.set(step, child);
  return child;
}

/** The field of both values; undefined if one of them or the schema lacks it. */
function correlateField(correlated: CorrelatedObject, field: string): CorrelatedObject | undefined {
  if (!isObject(correlated.value) || !isObject(correlated.oldValue)) return undefined;
  const value = at(correlated.value, field);
  const oldValue = at(correlated.oldValue, field);
  const schema = getFieldSchema(correlated.schema, field);
  if (value === undefined || oldValue === undefined || schema === undefined) return undefined;
  return correlate(schema, value, oldValue);
}

/** The item and the stored item with the same keys; only items of map lists have a counterpart. */
function correlateItem(correlated: CorrelatedObject, index: number): CorrelatedObject | undefined {
  if (!isList(correlated.value) || !isList(correlated.oldValue)) return undefined;
  const { items, listType } = correlated.schema;
  const value = correlated.value[index];
  if (items === undefined || value === undefined || listType?.kind !== "map") return undefined;
  correlated.oldByKey ??= indexByKey(correlated.oldValue, listType.keys);
  const key = buildListKey(value, listType.keys);
  const oldValue = key === undefined ? undefined : correlated.oldByKey.get(key);
  return oldValue && correlate(items, value, oldValue);
}

function indexByKey(list: readonly Json[], keys: readonly string[]): ReadonlyMap<string, JsonObject> {
  const byKey = new Map<string, JsonObject>();
  for (const item of list) {
    const key = buildListKey(item, keys);
    if (key !== undefined && isObject(item) && !byKey.has(key)) byKey.set(key, item);
  }
  return byKey;
}

/** Undefined if a key is missing or not a scalar. Defaults are already applied, so a missing key stays missing. */
function buildListKey(item: Json, keys: readonly string[]): string | undefined {
  if (!isObject(item) || keys.length === 0) return undefined;
  const parts = keys.map((key) => formatListKey(at(item, key), keys.length > 1));
  return parts.includes(undefined) ? undefined : parts.join("\u0000");
}

/** If there are several keys, the API server formats numbers with six decimals. */
function formatListKey(value: Json | undefined, isOneOfSeveral: boolean): string | undefined {
  if (typeof value === "number") return isOneOfSeveral && !isInt64(value) ? value.toFixed(6) : String(value);
  return typeof value === "string" || typeof value === "boolean" ? JSON.stringify(value) : undefined;
}

/**
 * Would the API server say that nothing changed? A map with fields that the schema doesn't name never counts as unchanged, nor does a
 * list that is a map and has an item without its keys.
 */
export function isUnchanged(correlated: CorrelatedObject): boolean {
  correlated.isEqual ??= isDeepEqual(correlated);
  return correlated.isEqual;
}

function isDeepEqual(correlated: CorrelatedObject): boolean {
  const { value, oldValue } = correlated;
  if (value === null || oldValue === null) return value === oldValue;
  if (isList(value)) return isList(oldValue) && isSameList(correlated, value, oldValue);
  if (isObject(value)) return isObject(oldValue) && isSameMap(correlated, value, oldValue);
  return value === oldValue;
}

function isSameList(correlated: CorrelatedObject, value: readonly Json[], oldValue: readonly Json[]): boolean {
  if (value.length !== oldValue.length) return false;
  if (correlated.schema.listType?.kind !== "map")
    return value === oldValue || buildEqualityKey(value) === buildEqualityKey(oldValue);
  return value.every((_, i) => isUnchangedChild(correlated, i));
}

function isSameMap(correlated: CorrelatedObject, value: JsonObject, oldValue: JsonObject): boolean {
  const keys = Object.keys(value);
  return keys.length === Object.keys(oldValue).length && keys.every((key) => isUnchangedChild(correlated, key));
}

function isUnchangedChild(correlated: CorrelatedObject, step: string | number): boolean {
  const child = correlateChild(correlated, step);
  return child !== undefined && isUnchanged(child);
}
