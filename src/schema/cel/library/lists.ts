import { TRAVERSAL } from "../values/size.ts";
import { calculate } from "../values/arithmetic.ts";
import { equal, getMapKeys, findMapValue } from "../values/equality.ts";
import { compareValues } from "../values/ordering.ts";
import { getListValues } from "../values/unstructured.ts";
import {
  type ListValue,
  NO_OVERLOAD,
  type CelValue,
  buildError,
  isError,
  isList,
  isMap,
  getTypeName,
  isKind,
} from "../values/value.ts";
import { onKind } from "./function-binding.ts";
import { type FunctionImplementation, type FunctionRow, buildApiServerLibrary } from "../runtime/function-table.ts";

/** The cost of traversing a value. */
function traversalCost(value: CelValue): number {
  if (typeof value === "string") return Math.floor(value.length * TRAVERSAL);
  if (isKind(value, "bytes")) return Math.floor(value.bytes.length * TRAVERSAL);
  if (isList(value)) return getListValues(value).reduce<number>((sum, item) => sum + traversalCost(item), 0);
  if (!isMap(value)) return 1;
  const parts = getMapKeys(value).flatMap((key) => [key, findMapValue(value, key) ?? null]);
  return parts.reduce<number>((sum, part) => sum + traversalCost(part), 0);
}

/** Costs one traversal of the first argument and of all that it holds. */
export function traverseAll({ 0: first = null }: readonly CelValue[]): number {
  return traversalCost(first);
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
export const COMPARABLE: readonly string[] = [...NUMBERS, "bool", "duration", "timestamp", "string", "bytes"];

/** A method of lists of these types, which results in one of them or in another type. */
function defineOverItems(items: readonly string[], call: FunctionImplementation, result?: string): FunctionRow {
  return { types: items.map((type) => `list(${type}).() ${result ?? type}`).join(" | "), cost: traverseAll, call };
}

function defineSearch(find: (values: readonly CelValue[], item: CelValue) => number): FunctionRow {
  const call: FunctionImplementation = ([list = null, item = null]) =>
    isList(list) ? BigInt(find(getListValues(list), item)) : NO_OVERLOAD;
  return { types: "list(A).(A) int", cost: traverseAll, call };
}

/** Kubernetes' library of lists. */
export const LISTS = buildApiServerLibrary("rules", {
  isSorted: defineOverItems(COMPARABLE, onKind("list", isSorted), "bool"),
  sum: defineOverItems([...NUMBERS, "duration"], onKind("list", sum)),
  max: defineOverItems(COMPARABLE, findExtreme("max", 1)),
  min: defineOverItems(COMPARABLE, findExtreme("min", -1)),
  indexOf: defineSearch((values, item) => values.findIndex((one) => equal(one, item) === true)),
  lastIndexOf: defineSearch((values, item) => values.findLastIndex((one) => equal(one, item) === true)),
});
