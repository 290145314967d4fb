import type { FunctionImplementation, FunctionRow } from "../runtime/environment.ts";
import { TRAVERSAL, actualSize, buildApiServerLibrary, onKind, onSameKind } from "../runtime/environment.ts";
import { calculate } from "../values/arithmetic.ts";
import { equal, getMapKeys, findMapValue } from "../values/equality.ts";
import { compareValues } from "../values/numbers.ts";
import { getListValues, findListItem } from "../values/unstructured.ts";
import { type Meter, BYTES, READ_WORK, STEP_WORK, countMemory, countWork } from "../values/meter.ts";
import type { ListValue, CelValue } from "../values/value.ts";
import {
  NO_OVERLOAD,
  buildError,
  isError,
  isList,
  isMap,
  getTypeName,
  isKind,
  PanicError,
  buildList,
  buildMapKey,
  findEntry,
} from "../values/value.ts";
import { isIn } from "../values/look-up.ts";

/** The cost of traversing a value. */
export function getTraversalCostOfAll(value: CelValue, meter: Meter): number {
  countWork(meter, STEP_WORK);
  if (typeof value === "string") return Math.floor(value.length * TRAVERSAL);
  if (isKind(value, "bytes")) return Math.floor(value.bytes.length * TRAVERSAL);
  const measure = (sum: number, part: CelValue): number => sum + getTraversalCostOfAll(part, meter);
  if (isList(value)) return getListValues(value).reduce<number>(measure, 0);
  if (!isMap(value)) return 1;
  return getMapKeys(value).reduce<number>(
    (sum, key) => measure(measure(sum, key), findMapValue(value, key) ?? null),
    0,
  );
}

/** Costs one traversal of the first argument and of all that it holds. */
export function traverseAll({ 0: first = null }: readonly CelValue[], _: CelValue, meter: Meter): number {
  return getTraversalCostOfAll(first, meter);
}

/** Comparable types may be mixed: as in the API server, two values without an order stay where they are. */
function isComparable(value: CelValue): boolean {
  return compareValues(value, value) !== NO_OVERLOAD;
}

function isSorted(list: ListValue): CelValue {
  const values = getListValues(list);
  for (let i = 0; i < values.length; i++) {
    const before = values[i - 1];
    const value = values[i] ?? null;
    if (!isComparable(value)) return NO_OVERLOAD;
    const comparison = before === undefined ? 0 : compareValues(before, value);
    if (typeof comparison === "number" && comparison > 0) return false;
  }
  return true;
}

function sum(list: ListValue): CelValue {
  const values = getListValues(list);
  const [first] = values;
  // Adding these would copy all of them again and again, only to be refused.
  if (first !== undefined && (isList(first) || isKind(first, "bytes"))) return NO_OVERLOAD;
  let total: CelValue = first === undefined ? getZero(list) : first;
  for (const value of values.slice(1)) {
    total = calculate("+", total, value);
    if (isError(total)) return total;
  }
  return ["error", "int", "uint", "double", "google.protobuf.Duration"].includes(getTypeName(total))
    ? total
    : NO_OVERLOAD;
}

/** The sum of an empty list, by the type in its schema. */
function getZero({ items }: ListValue): CelValue {
  if (items?.format === "duration") return { kind: "duration", nanos: 0n };
  return items?.types[0] === "number" ? 0 : 0n;
}

/** The greatest item (`sign` 1) or the least (-1). */
function findExtreme(name: string, sign: 1 | -1): FunctionImplementation {
  return onKind("list", (list) => {
    let best: CelValue | undefined;
    for (const value of getListValues(list)) {
      if (!isComparable(value)) return NO_OVERLOAD;
      const comparison = best === undefined ? sign : compareValues(value, best);
      if (typeof comparison === "number" && comparison * sign > 0) best = value;
    }
    return best === undefined ? buildError(`${name} called on empty list`) : best;
  });
}

const NUMBERS = ["int", "uint", "double"];
const COMPARABLE: readonly string[] = [...NUMBERS, "bool", "duration", "timestamp", "string", "bytes"];

/** A method of lists of these types, which results in one of them or in another type. */
function defineOverItems(items: readonly string[], call: FunctionImplementation, result?: string): FunctionRow {
  return { types: items.map((type) => `list(${type}).() ${result ?? type}`).join(" | "), cost: traverseAll, call };
}

type FindItem = (values: readonly CelValue[], isItem: (value: CelValue) => boolean) => number;

function defineSearch(find: FindItem): FunctionRow {
  const call: FunctionImplementation = ([list = null, item = null], meter) =>
    isList(list) ? BigInt(find(getListValues(list), (one) => equal(one, item, meter) === true)) : NO_OVERLOAD;
  return { types: "list(A).(A) int", cost: traverseAll, call };
}

/** Kubernetes' library of lists. */
export const LISTS = buildApiServerLibrary("rules", {
  isSorted: defineOverItems(COMPARABLE, onKind("list", isSorted), "bool"),
  sum: defineOverItems([...NUMBERS, "duration"], onKind("list", sum)),
  max: defineOverItems(COMPARABLE, findExtreme("max", 1)),
  min: defineOverItems(COMPARABLE, findExtreme("min", -1)),
  indexOf: defineSearch((values, isItem) => values.findIndex(isItem)),
  lastIndexOf: defineSearch((values, isItem) => values.findLastIndex(isItem)),
});

/** The list's items in the order of their keys. */
function sortByKeys(list: CelValue, keys: CelValue, meter: Meter): CelValue {
  if (!isList(list) || !isList(keys)) return NO_OVERLOAD;
  const values = getListValues(list);
  const by = getListValues(keys);
  const [first] = by;
  if (first === undefined) return list;
  if (by.some((key) => getTypeName(key) !== getTypeName(first)))
    return buildError("list elements must have the same type");
  if (compareValues(first, first) === NO_OVERLOAD) return buildError("list elements must be comparable");
  countMemory(meter, 3 * BYTES.item * by.length);
  countWork(meter, by.reduce<number>((sum, key) => sum + actualSize(key), 0) * READ_WORK * Math.log2(by.length + 1));
  const indexes = by
    .map((_, i) => i)
    .toSorted((a, b) => {
      const comparison = compareValues(by[a] ?? null, by[b] ?? null);
      return typeof comparison === "number" ? comparison : 0;
    });
  return buildList(indexes.map((index) => values[index] ?? null));
}

function slice([list = null, start, end]: readonly CelValue[], meter: Meter): CelValue {
  if (!isList(list) || typeof start !== "bigint" || typeof end !== "bigint") return NO_OVERLOAD;
  const what = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return buildError(`${what}, negative indexes not supported`);
  if (start > end) return buildError(`${what}, start index must be less than or equal to end index`);
  const values = getListValues(list);
  if (BigInt(values.length) < end) return buildError(`${what}, list is length ${values.length}`);
  countMemory(meter, BYTES.item * Number(end - start));
  return buildList(values.slice(Number(start), Number(end)));
}

function flatten([list = null, depth = 1n]: readonly CelValue[], meter: Meter): CelValue {
  if (!isList(list) || typeof depth !== "bigint") return NO_OVERLOAD;
  return depth < 0n ? buildError("level must be non-negative") : buildList(flattenValues(list, depth, meter));
}

function flattenValues(list: ListValue, depth: bigint, meter: Meter): readonly CelValue[] {
  const values = getListValues(list);
  countMemory(meter, 3 * BYTES.item * values.length);
  countWork(meter, STEP_WORK * (values.length + 1));
  return values.flatMap((item) => (isList(item) && depth > 0n ? flattenValues(item, depth - 1n, meter) : [item]));
}

/** cel-go asks nobody whether it is a list. */
function distinct([list = null]: readonly CelValue[], meter: Meter): CelValue {
  if (!isList(list)) throw new PanicError("internal error: interface conversion: not a list");
  countMemory(meter, BYTES.item * actualSize(list));
  const values: CelValue[] = [];
  for (const value of getListValues(list))
    if (!values.some((other) => equal(value, other, meter) === true)) values.push(value);
  return buildList(values);
}

function reverse(list: ListValue, meter: Meter): CelValue {
  countMemory(meter, BYTES.item * actualSize(list));
  return buildList(getListValues(list).toReversed());
}

function range([count = null]: readonly CelValue[], meter: Meter): CelValue {
  if (typeof count !== "bigint") return NO_OVERLOAD;
  countMemory(meter, (BYTES.item + BYTES.scalar) * Math.max(0, Number(count)));
  return buildList(Array.from({ length: count < 0n ? 0 : Number(count) }, (_, i) => BigInt(i)));
}

const getNewListCost: FunctionRow["cost"] = (_, result) => 11 + actualSize(result);

/** Of a list whose items are compared with each other, in the worst case. */
function getComparisonCost(list: CelValue = null): number {
  const first = (isList(list) ? findListItem(list, 0) : undefined) ?? null;
  const isText = typeof first === "string" || isKind(first, "bytes");
  return 11 + Math.floor(actualSize(list) ** 2 * (isText ? 2.1 : 2));
}

const getRangeCost: FunctionRow["costBefore"] = ([count = null]) =>
  typeof count === "bigint" ? 11 + Math.max(0, Number(count)) : 11;

/** Below zero for a negative depth, which the call refuses afterwards. */
const getFlattenCost: FunctionRow["costBefore"] = ([list = null, depth = 1n]) =>
  typeof depth === "bigint" ? 11 + actualSize(list) * Number(depth) : 11;

/** cel-go's library of lists. */
export const LIST_BUILDING = buildApiServerLibrary("listBuilding", {
  slice: { types: "list(T).(int, int) list(T)", call: slice, cost: getNewListCost },
  flatten: { types: "list(list(T)).() list(T) | list(dyn).(int) list(dyn)", call: flatten, costBefore: getFlattenCost },
  "lists.range": { types: "(int) list(int)", call: range, costBefore: getRangeCost },
  reverse: { types: "list(T).() list(T)", call: onKind("list", reverse), cost: getNewListCost },
  distinct: { types: "list(T).() list(T)", call: distinct, costBefore: ([list]) => getComparisonCost(list) },
  sort: {
    types: COMPARABLE.map((key) => `list(${key}).() list(${key})`).join(" | "),
    call: onKind("list", (list, meter) => sortByKeys(list, list, meter)),
    costBefore: ([list]) => getComparisonCost(list),
  },
  "@sortByAssociatedKeys": {
    types: COMPARABLE.map((key) => `list(T).(list(${key})) list(T)`).join(" | "),
    call: ([list = null, keys = null], meter) => sortByKeys(list, keys, meter),
    costBefore: ([, keys]) => getComparisonCost(keys),
  },
});

function listContains(list: ListValue, item: CelValue, meter: Meter): CelValue {
  return isError(item) && list.json !== undefined ? item : isIn(item, list, meter);
}

/** Whether the list has all items, or the error of the first that can't be compared. */
function containsAll(list: ListValue, items: ListValue, meter: Meter): CelValue {
  for (const item of getListValues(items)) {
    const isContained = listContains(list, item, meter);
    if (isContained !== true) return isContained;
  }
  return true;
}

function containsBoth(a: ListValue, b: ListValue, meter: Meter): CelValue {
  const isContained = containsAll(a, b, meter);
  return isContained === true ? containsAll(b, a, meter) : isContained;
}

function defineTest(test: (a: ListValue, b: ListValue, meter: Meter) => CelValue): FunctionRow {
  const costBefore: FunctionRow["costBefore"] = ([a = null, b = null]) => 1 + actualSize(a) * actualSize(b);
  return { types: "(list(T), list(T)) bool", call: onSameKind("list", test), costBefore };
}

export const SETS = buildApiServerLibrary("sets", {
  "sets.contains": defineTest(containsAll),
  "sets.intersects": defineTest((a, b, meter) =>
    getListValues(a).some((item) => listContains(b, item, meter) === true),
  ),
  "sets.equivalent": defineTest(containsBoth),
});

type Entry = readonly [CelValue, CelValue];

/** Into a map that grows, one entry or all of another map. */
function insert([map = null, ...more]: readonly CelValue[], meter: Meter): CelValue {
  if (!isMap(map) || map.kind !== "map" || map.growing === undefined) return NO_OVERLOAD;
  const entries = listEntries(more);
  if (entries === undefined) return NO_OVERLOAD;
  countWork(meter, entries.length);
  for (const entry of entries) {
    countMemory(meter, BYTES.entry + actualSize(entry[0]));
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
