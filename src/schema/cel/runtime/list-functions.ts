import { calculate } from "./values/arithmetic.ts";
import { equal, getMapKeys, findMapValue } from "./values/equality.ts";
import { type FunctionImplementation, type NamedFunctions, onKind, onList, onLists } from "./function-binding.ts";
import { actualSize } from "./activation.ts";
import { compareValues } from "./values/ordering.ts";
import {
  type ListValue,
  NO_OVERLOAD,
  OPTIONAL_NONE,
  type CelValue,
  buildError,
  isError,
  isList,
  isMap,
  isObjectValue,
  buildList,
  buildOptional,
  getTypeName,
} from "./values/value.ts";
import { findListItem, getListSize, getListValues } from "./values/unstructured.ts";

/** The cost of traversing a value. */
export function traversalCost(value: CelValue): number {
  if (typeof value === "string") return Math.floor(value.length * 0.1);
  if (isObjectValue(value) && value.kind === "bytes") return Math.floor(value.bytes.length * 0.1);
  if (isList(value)) return getListValues(value).reduce<number>((sum, item) => sum + traversalCost(item), 0);
  if (!isMap(value)) return 1;
  return getMapKeys(value).reduce<number>(
    (sum, key) => sum + traversalCost(key) + traversalCost(findMapValue(value, key) ?? null),
    0,
  );
}

export const listIndexOf: FunctionImplementation = ([list = null, item = null]) =>
  isList(list) ? BigInt(getListValues(list).findIndex((one) => equal(one, item) === true)) : NO_OVERLOAD;

export const listLastIndexOf: FunctionImplementation = ([list = null, item = null]) =>
  isList(list) ? BigInt(getListValues(list).findLastIndex((one) => equal(one, item) === true)) : NO_OVERLOAD;

function isSorted(list: ListValue): CelValue {
  const values = getListValues(list);
  for (let i = 0; i < values.length; i++) {
    const [before, value = null] = [values[i - 1], values[i]];
    const comparison = compareValues(before === undefined ? value : before, value);
    if (typeof comparison !== "number" && comparison === NO_OVERLOAD) return comparison;
    if (typeof comparison === "number" && comparison > 0) return false;
  }
  return true;
}

function sum(list: ListValue): CelValue {
  const values = getListValues(list);
  const [first] = values;
  let total: CelValue = first === undefined ? getZero(list) : first;
  for (const value of values.slice(1)) {
    total = calculate("+", total, value);
    if (isError(total)) return total;
  }
  return isError(total) || ["int", "uint", "double", "google.protobuf.Duration"].includes(getTypeName(total))
    ? total
    : NO_OVERLOAD;
}

/** The sum of an empty list, by the type in its schema. */
function getZero({ items }: ListValue): CelValue {
  if (items?.format === "duration") return { kind: "duration", nanos: 0n };
  return items?.types[0] === "number" ? 0 : 0n;
}

function findExtreme(name: string, isBetter: (order: number) => boolean): FunctionImplementation {
  return onList((list) => {
    let best: CelValue | undefined;
    for (const value of getListValues(list)) {
      const comparison = compareValues(best === undefined ? value : value, best === undefined ? value : best);
      if (comparison === NO_OVERLOAD) return NO_OVERLOAD;
      if (best === undefined || (typeof comparison === "number" && isBetter(comparison))) best = value;
    }
    return best === undefined ? buildError(`${name} called on empty list`) : best;
  });
}

/** The list's items in the order of their keys. */
export function sortByKeys(list: CelValue, keys: CelValue): CelValue {
  if (!isList(list) || !isList(keys)) return NO_OVERLOAD;
  const [values, by] = [getListValues(list), getListValues(keys)];
  const [first] = by;
  if (first === undefined) return list;
  if (by.some((key) => getTypeName(key) !== getTypeName(first)))
    return buildError("list elements must have the same type");
  if (typeof compareValues(first, first) !== "number" && compareValues(first, first) === NO_OVERLOAD)
    return buildError("list elements must be comparable");
  const indexes = by
    .map((_, i) => i)
    .toSorted((a, b) => {
      const comparison = compareValues(by[a] ?? null, by[b] ?? null);
      return typeof comparison === "number" ? comparison : 0;
    });
  return buildList(indexes.map((index) => values[index] ?? null));
}

function slice([list = null, start, end]: readonly CelValue[]): CelValue {
  if (!isList(list) || typeof start !== "bigint" || typeof end !== "bigint") return NO_OVERLOAD;
  if (start < 0n || end < 0n) return buildError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end)
    return buildError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  const values = getListValues(list);
  if (BigInt(values.length) < end) return buildError(`cannot slice(${start}, ${end}), list is length ${values.length}`);
  return buildList(values.slice(Number(start), Number(end)));
}

function flatten([list = null, depth = 1n]: readonly CelValue[]): CelValue {
  if (!isList(list) || typeof depth !== "bigint") return NO_OVERLOAD;
  return depth < 0n ? buildError("level must be non-negative") : buildList(flattenValues(list, depth));
}

function flattenValues(list: ListValue, depth: bigint): readonly CelValue[] {
  return getListValues(list).flatMap((item) => (isList(item) && depth > 0n ? flattenValues(item, depth - 1n) : [item]));
}

function distinct(list: ListValue): CelValue {
  const values: CelValue[] = [];
  for (const value of getListValues(list))
    if (!values.some((other) => equal(value, other) === true)) values.push(value);
  return buildList(values);
}

const MAX_RANGE = 1_000_000n;

function range([count = null]: readonly CelValue[]): CelValue {
  if (typeof count !== "bigint") return NO_OVERLOAD;
  return buildList(Array.from({ length: count < 0n ? 0 : Number(count) }, (_, i) => BigInt(i)));
}

function listContains(list: ListValue, item: CelValue): boolean {
  return getListValues(list).some((one) => equal(one, item) === true);
}

function unwrapOptionals(list: ListValue): CelValue {
  const values = getListValues(list);
  if (values.some((value) => !isObjectValue(value) || value.kind !== "optional"))
    return buildError("value is not optional");
  return buildList(
    values.flatMap((value) =>
      isObjectValue(value) && value.kind === "optional" && value.value !== undefined ? [value.value] : [],
    ),
  );
}

function selectEnd(at: number): FunctionImplementation {
  return onList((list) => {
    const value = findListItem(list, at < 0 ? getListSize(list) - 1 : at);
    return value === undefined ? OPTIONAL_NONE : isError(value) ? value : buildOptional(value);
  });
}

const getTraversalCostOfList = ([list = null]: readonly CelValue[]): number => traversalCost(list);
const getCreationCost = (_: readonly CelValue[], result: CelValue): number => 11 + actualSize(result);
const getSquaredCost = ([list = null]: readonly CelValue[]): number => 11 + actualSize(list) ** 2;
const getCrossProductCost = ([a = null, b = null]: readonly CelValue[]): number => 1 + actualSize(a) * actualSize(b);

export const LIST_METHODS: NamedFunctions = [
  ["isSorted", { min: 1, max: 1, call: onList(isSorted), cost: getTraversalCostOfList }],
  ["sum", { min: 1, max: 1, call: onList(sum), cost: getTraversalCostOfList }],
  ["max", { min: 1, max: 1, call: findExtreme("max", (comparison) => comparison > 0), cost: getTraversalCostOfList }],
  ["min", { min: 1, max: 1, call: findExtreme("min", (comparison) => comparison < 0), cost: getTraversalCostOfList }],
  ["slice", { min: 3, max: 3, call: slice, cost: getCreationCost }],
  ["flatten", { min: 1, max: 2, call: flatten, cost: getCreationCost }],
  [
    "sort",
    { min: 1, max: 1, call: onList((list) => sortByKeys(list, list)), costBefore: getSquaredCost, cost: () => 0 },
  ],
  [
    "reverse",
    { min: 1, max: 1, call: onList((list) => buildList(getListValues(list).toReversed())), cost: getCreationCost },
  ],
  ["distinct", { min: 1, max: 1, call: onList(distinct), costBefore: getSquaredCost, cost: () => 0 }],
  ["first", { min: 1, max: 1, call: selectEnd(0) }],
  ["last", { min: 1, max: 1, call: selectEnd(-1) }],
  ["unwrapOpt", { min: 1, max: 1, call: onList(unwrapOptionals) }],
  ["hasValue", { min: 1, max: 1, call: onKind("optional", ({ value }) => value !== undefined) }],
];

const getRangeCost = ([count = null]: readonly CelValue[]): number =>
  typeof count === "bigint" && count > MAX_RANGE ? Infinity : 11 + Math.max(0, Number(count));

export const LIST_GLOBALS: NamedFunctions = [
  ["lists.range", { min: 1, max: 1, call: range, costBefore: getRangeCost, cost: () => 0 }],
  ["optional.unwrap", { min: 1, max: 1, call: onList(unwrapOptionals) }],
  [
    "sets.contains",
    {
      min: 2,
      max: 2,
      call: onLists((a, b) => getListValues(b).every((item) => listContains(a, item))),
      costBefore: getCrossProductCost,
      cost: () => 0,
    },
  ],
  [
    "sets.intersects",
    {
      min: 2,
      max: 2,
      call: onLists((a, b) => getListValues(b).some((item) => listContains(a, item))),
      costBefore: getCrossProductCost,
      cost: () => 0,
    },
  ],
  [
    "sets.equivalent",
    {
      min: 2,
      max: 2,
      call: onLists(
        (a, b) =>
          getListValues(b).every((item) => listContains(a, item)) &&
          getListValues(a).every((item) => listContains(b, item)),
      ),
      costBefore: getCrossProductCost,
      cost: () => 0,
    },
  ],
];
