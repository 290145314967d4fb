import { type Json, type JsonObject, at, compareText, isList, isNumber, isObject } from "../../model/json.ts";
import { isInt64 } from "./numbers.ts";
import { type ListType, type StructuralSchema, getFieldSchema } from "./structural-schema.ts";
import { type ErrorType, formatValues, formatValue } from "./field-errors.ts";

/** Text as it is, or a value that is not text yet. */
type PendingPart = string | { readonly value: Json };

/** Text that is equal for equal values. It is iterative, so that deep nesting can't overflow the stack. */
export function buildEqualityKey(value: Json): string {
  const pending: PendingPart[] = [{ value }];
  const parts: string[] = [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string") parts.push(next);
    else if (isList(next.value)) pushReversed(pending, splitList(next.value));
    else if (isObject(next.value)) pushReversed(pending, splitObject(next.value));
    else parts.push(JSON.stringify(next.value));
  }
  return parts.join("");
}

function pushReversed(pending: PendingPart[], parts: readonly PendingPart[]): void {
  for (const part of parts.toReversed()) pending.push(part);
}

function splitList(list: readonly Json[]): PendingPart[] {
  return ["[", ...list.flatMap((value): PendingPart[] => [{ value }, ","]), "]"];
}

function splitObject(object: JsonObject): PendingPart[] {
  const entries = Object.entries(object).toSorted(([a], [b]) => compareText(a, b));
  return ["{", ...entries.flatMap(([key, value]): PendingPart[] => [`${JSON.stringify(key)}:`, { value }, ","]), "}"];
}

type ItemError = { readonly index: number; readonly type: ErrorType; readonly message: string };

/** The faults of a set or map list. Each duplicate value is reported once. */
export function findDuplicates(type: ListType, list: readonly Json[]): readonly ItemError[] {
  if (type.kind === "set") {
    return findSecondOccurrences(list, buildEqualityKey).map((index) =>
      buildDuplicateError(index, `The item ${formatValue(list[index] ?? null)} is in the set already`),
    );
  }
  const index = list.findIndex((item) => item !== null && !isObject(item));
  const message = "The items of this list must be objects, since it is a map by their fields";
  if (index >= 0) return [{ index, type: "FieldValueInvalid", message }];
  return findSecondOccurrences(list, (item) => buildEqualityKey(selectKeyFields(item, type.keys))).map((place) => {
    const values = formatValues(Object.values(selectKeyFields(list[place] ?? null, type.keys)));
    return buildDuplicateError(place, `Another item has the same ${type.keys.join(", ")}: ${values}`);
  });
}

/** Other writes pass if they leave the list unchanged, but server-side apply tells items apart by their keys. */
function buildDuplicateError(index: number, message: string): ItemError {
  return { index, type: "FieldValueDuplicate", message: `${message}; server-side apply of the list fails` };
}

/** The key fields of an item; absent ones are left out. */
function selectKeyFields(item: Json, keys: readonly string[]): { readonly [key: string]: Json } {
  if (!isObject(item)) return {};
  return Object.fromEntries(Object.entries(item).filter(([key]) => keys.includes(key)));
}

/** The indexes at which a value occurs for the second time. */
export function findSecondOccurrences(list: readonly Json[], name: (item: Json) => string): readonly number[] {
  const counts = new Map<string, number>();
  return list.flatMap((item, i) => {
    const key = name(item);
    const times = (counts.get(key) ?? 0) + 1;
    counts.set(key, times);
    return times === 2 ? [i] : [];
  });
}

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
  if (typeof value === "number" && isOneOfSeveral && !isInt64(value)) return value.toFixed(6);
  if (isNumber(value)) return String(value);
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
