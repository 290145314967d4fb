import { calculate } from "./arithmetic.ts";
import { equal, mapKeys, mapValue } from "./equal.ts";
import { type Act, type Named, on, onList, onLists } from "./fn.ts";
import { costSize } from "./frame.ts";
import { order } from "./order.ts";
import {
  type List,
  NO_OVERLOAD,
  NOTHING,
  type Value,
  failure,
  isFailure,
  isList,
  isMap,
  isOther,
  listOf,
  optional,
  typeName,
} from "./value.ts";
import { listItem, listSize, listValues } from "./wrap.ts";

/** What it costs to walk through all that a value holds. */
export function traversalCost(value: Value): number {
  if (typeof value === "string") return Math.floor(value.length * 0.1);
  if (isOther(value) && value.kind === "bytes") return Math.floor(value.bytes.length * 0.1);
  if (isList(value)) return listValues(value).reduce<number>((sum, item) => sum + traversalCost(item), 0);
  if (!isMap(value)) return 1;
  return mapKeys(value).reduce<number>(
    (sum, key) => sum + traversalCost(key) + traversalCost(mapValue(value, key) ?? null),
    0,
  );
}

export const listIndexOf: Act = ([list = null, item = null]) =>
  isList(list) ? BigInt(listValues(list).findIndex((one) => equal(one, item) === true)) : NO_OVERLOAD;

export const listLastIndexOf: Act = ([list = null, item = null]) =>
  isList(list) ? BigInt(listValues(list).findLastIndex((one) => equal(one, item) === true)) : NO_OVERLOAD;

function isSorted(list: List): Value {
  const values = listValues(list);
  for (let i = 0; i < values.length; i++) {
    const [before, value = null] = [values[i - 1], values[i]];
    const found = order(before === undefined ? value : before, value);
    if (typeof found !== "number" && found === NO_OVERLOAD) return found;
    if (typeof found === "number" && found > 0) return false;
  }
  return true;
}

function sum(list: List): Value {
  const values = listValues(list);
  const [first] = values;
  let total: Value = first === undefined ? zero(list) : first;
  for (const value of values.slice(1)) {
    total = calculate("+", total, value);
    if (isFailure(total)) return total;
  }
  return isFailure(total) || ["int", "uint", "double", "google.protobuf.Duration"].includes(typeName(total))
    ? total
    : NO_OVERLOAD;
}

/** What an empty list adds up to, as far as its schema tells. */
function zero({ items }: List): Value {
  if (items?.format === "duration") return { kind: "duration", nanos: 0n };
  return items?.types[0] === "number" ? 0 : 0n;
}

function extreme(name: string, isBetter: (order: number) => boolean): Act {
  return onList((list) => {
    let best: Value | undefined;
    for (const value of listValues(list)) {
      const found = order(best === undefined ? value : value, best === undefined ? value : best);
      if (found === NO_OVERLOAD) return NO_OVERLOAD;
      if (best === undefined || (typeof found === "number" && isBetter(found))) best = value;
    }
    return best === undefined ? failure(`${name} called on empty list`) : best;
  });
}

/** The list's items in the order of their keys. */
export function sorted(list: Value, keys: Value): Value {
  if (!isList(list) || !isList(keys)) return NO_OVERLOAD;
  const [values, by] = [listValues(list), listValues(keys)];
  const [first] = by;
  if (first === undefined) return list;
  if (by.some((key) => typeName(key) !== typeName(first))) return failure("list elements must have the same type");
  if (typeof order(first, first) !== "number" && order(first, first) === NO_OVERLOAD)
    return failure("list elements must be comparable");
  const places = by
    .map((_, i) => i)
    .toSorted((a, b) => {
      const found = order(by[a] ?? null, by[b] ?? null);
      return typeof found === "number" ? found : 0;
    });
  return listOf(places.map((place) => values[place] ?? null));
}

function slice([list = null, start, end]: readonly Value[]): Value {
  if (!isList(list) || typeof start !== "bigint" || typeof end !== "bigint") return NO_OVERLOAD;
  if (start < 0n || end < 0n) return failure(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end)
    return failure(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  const values = listValues(list);
  if (BigInt(values.length) < end) return failure(`cannot slice(${start}, ${end}), list is length ${values.length}`);
  return listOf(values.slice(Number(start), Number(end)));
}

function flatten([list = null, depth = 1n]: readonly Value[]): Value {
  if (!isList(list) || typeof depth !== "bigint") return NO_OVERLOAD;
  return depth < 0n ? failure("level must be non-negative") : listOf(flat(list, depth));
}

function flat(list: List, depth: bigint): readonly Value[] {
  return listValues(list).flatMap((item) => (isList(item) && depth > 0n ? flat(item, depth - 1n) : [item]));
}

function distinct(list: List): Value {
  const kept: Value[] = [];
  for (const value of listValues(list)) if (!kept.some((other) => equal(value, other) === true)) kept.push(value);
  return listOf(kept);
}

const LONGEST_RANGE = 1_000_000n;

function range([count = null]: readonly Value[]): Value {
  if (typeof count !== "bigint") return NO_OVERLOAD;
  return listOf(Array.from({ length: count < 0n ? 0 : Number(count) }, (_, i) => BigInt(i)));
}

function has(list: List, item: Value): boolean {
  return listValues(list).some((one) => equal(one, item) === true);
}

function unwrap(list: List): Value {
  const values = listValues(list);
  if (values.some((value) => !isOther(value) || value.kind !== "optional")) return failure("value is not optional");
  return listOf(
    values.flatMap((value) =>
      isOther(value) && value.kind === "optional" && value.value !== undefined ? [value.value] : [],
    ),
  );
}

function end(at: number): Act {
  return onList((list) => {
    const value = listItem(list, at < 0 ? listSize(list) - 1 : at);
    return value === undefined ? NOTHING : isFailure(value) ? value : optional(value);
  });
}

const traversed = ([list = null]: readonly Value[]): number => traversalCost(list);
const made = (_: readonly Value[], result: Value): number => 11 + costSize(result);
const squared = ([list = null]: readonly Value[]): number => 11 + costSize(list) ** 2;
const crossed = ([a = null, b = null]: readonly Value[]): number => 1 + costSize(a) * costSize(b);

export const LIST_METHODS: Named = [
  ["isSorted", { least: 1, most: 1, act: onList(isSorted), cost: traversed }],
  ["sum", { least: 1, most: 1, act: onList(sum), cost: traversed }],
  ["max", { least: 1, most: 1, act: extreme("max", (found) => found > 0), cost: traversed }],
  ["min", { least: 1, most: 1, act: extreme("min", (found) => found < 0), cost: traversed }],
  ["slice", { least: 3, most: 3, act: slice, cost: made }],
  ["flatten", { least: 1, most: 2, act: flatten, cost: made }],
  ["sort", { least: 1, most: 1, act: onList((list) => sorted(list, list)), before: squared, cost: () => 0 }],
  ["reverse", { least: 1, most: 1, act: onList((list) => listOf(listValues(list).toReversed())), cost: made }],
  ["distinct", { least: 1, most: 1, act: onList(distinct), before: squared, cost: () => 0 }],
  ["first", { least: 1, most: 1, act: end(0) }],
  ["last", { least: 1, most: 1, act: end(-1) }],
  ["unwrapOpt", { least: 1, most: 1, act: onList(unwrap) }],
  ["hasValue", { least: 1, most: 1, act: on("optional", ({ value }) => value !== undefined) }],
];

const rangeCost = ([count = null]: readonly Value[]): number =>
  typeof count === "bigint" && count > LONGEST_RANGE ? Infinity : 11 + Math.max(0, Number(count));

export const LIST_GLOBALS: Named = [
  ["lists.range", { least: 1, most: 1, act: range, before: rangeCost, cost: () => 0 }],
  ["optional.unwrap", { least: 1, most: 1, act: onList(unwrap) }],
  [
    "sets.contains",
    {
      least: 2,
      most: 2,
      act: onLists((a, b) => listValues(b).every((item) => has(a, item))),
      before: crossed,
      cost: () => 0,
    },
  ],
  [
    "sets.intersects",
    {
      least: 2,
      most: 2,
      act: onLists((a, b) => listValues(b).some((item) => has(a, item))),
      before: crossed,
      cost: () => 0,
    },
  ],
  [
    "sets.equivalent",
    {
      least: 2,
      most: 2,
      act: onLists(
        (a, b) => listValues(b).every((item) => has(a, item)) && listValues(a).every((item) => has(b, item)),
      ),
      before: crossed,
      cost: () => 0,
    },
  ],
];
