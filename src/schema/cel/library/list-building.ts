import { type CostedCall, type Estimate, operandSize } from "../cost/call-estimate.ts";
import { LARGEST, ONE, type Range, add, asBits, fixed, multiply, scale, wrapped } from "../cost/estimate.ts";
import { actualSize } from "../runtime/activation.ts";
import { equal } from "../values/equality.ts";
import { compareValues } from "../values/ordering.ts";
import { findListItem, getListValues } from "../values/unstructured.ts";
import {
  type ListValue,
  NO_OVERLOAD,
  type CelValue,
  PanicError,
  buildError,
  buildList,
  getTypeName,
  isList,
  isKind,
} from "../values/value.ts";
import { onKind } from "./function-binding.ts";
import { type FunctionRow, buildApiServerLibrary } from "../runtime/function-table.ts";
import { COMPARABLE } from "./lists.ts";

/** The list's items in the order of their keys. */
function sortByKeys(list: CelValue, keys: CelValue): CelValue {
  if (!isList(list) || !isList(keys)) return NO_OVERLOAD;
  const [values, by] = [getListValues(list), getListValues(keys)];
  const [first] = by;
  if (first === undefined) return list;
  if (by.some((key) => getTypeName(key) !== getTypeName(first)))
    return buildError("list elements must have the same type");
  if (compareValues(first, first) === NO_OVERLOAD) return buildError("list elements must be comparable");
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
  const what = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return buildError(`${what}, negative indexes not supported`);
  if (start > end) return buildError(`${what}, start index must be less than or equal to end index`);
  const values = getListValues(list);
  if (BigInt(values.length) < end) return buildError(`${what}, list is length ${values.length}`);
  return buildList(values.slice(Number(start), Number(end)));
}

function flatten([list = null, depth = 1n]: readonly CelValue[]): CelValue {
  if (!isList(list) || typeof depth !== "bigint") return NO_OVERLOAD;
  return depth < 0n ? buildError("level must be non-negative") : buildList(flattenValues(list, depth));
}

function flattenValues(list: ListValue, depth: bigint): readonly CelValue[] {
  return getListValues(list).flatMap((item) => (isList(item) && depth > 0n ? flattenValues(item, depth - 1n) : [item]));
}

/** cel-go asks nobody whether it is a list. */
function distinct([list = null]: readonly CelValue[]): CelValue {
  if (!isList(list)) throw new PanicError("internal error: interface conversion: not a list");
  const values: CelValue[] = [];
  for (const value of getListValues(list))
    if (!values.some((other) => equal(value, other) === true)) values.push(value);
  return buildList(values);
}

function reverse(list: ListValue): CelValue {
  return buildList(getListValues(list).toReversed());
}

const MAX_RANGE = 1_000_000n;

function range([count = null]: readonly CelValue[]): CelValue {
  if (typeof count !== "bigint") return NO_OVERLOAD;
  return buildList(Array.from({ length: count < 0n ? 0 : Number(count) }, (_, i) => BigInt(i)));
}

/** A call, and the cost of a new list. */
const CALL_AND_LIST = add(ONE, fixed(10));

function estimateNewList(measure: Measure, factor: (call: CostedCall) => number = () => 1): Estimate {
  return (call) => {
    const size = measure(call);
    return { cost: add(scale(size, factor(call)), CALL_AND_LIST), size };
  };
}

type Measure = (call: CostedCall) => Range;

/** Every item with every other. */
function measurePairs(at: number): Measure {
  return (call) => multiply(operandSize(call, at), operandSize(call, at));
}

function measureSlice(call: CostedCall): Range {
  const [start, end] = [findExact(call, 1) ?? 0n, findExact(call, 2) ?? asBits(operandSize(call, 0).max)];
  return fixed(wrapped(end - start));
}

/** A negative constant counts as none. */
function findConstant(call: CostedCall, at: number, otherwise: number): number {
  const value = findExact(call, at);
  return value === undefined ? otherwise : Number(value);
}

function findExact({ operands }: CostedCall, at: number): bigint | undefined {
  const expr = operands[at]?.expr;
  const value = expr?.op === "literal" ? expr.value : undefined;
  return typeof value === "bigint" ? (value < 0n ? 0n : value) : undefined;
}

/** Texts and bytes are dearer to compare. */
function getSortFactor({ overload }: CostedCall): number {
  const kind = overload.args.at(-1)?.parameters[0]?.kind;
  return kind === "string" || kind === "bytes" ? 2.1 : 2;
}

const NEW_LIST = {
  estimate: estimateNewList((call) => operandSize(call, 0)),
  cost: (_: readonly CelValue[], result: CelValue) => 11 + actualSize(result),
};

/** Of a list whose items are compared with each other, in the worst case. */
function getComparisonCost(list: CelValue = null): number {
  const first = (isList(list) ? findListItem(list, 0) : undefined) ?? null;
  const isText = typeof first === "string" || isKind(first, "bytes");
  return 11 + Math.floor(actualSize(list) ** 2 * (isText ? 2.1 : 2));
}

const getRangeCost: FunctionRow["costBefore"] = ([count = null]) =>
  typeof count === "bigint" && count > MAX_RANGE ? Infinity : 11 + Math.max(0, Number(count));

/** Below zero for a negative depth, which the call refuses afterwards. */
const getFlattenCost: FunctionRow["costBefore"] = ([list = null, depth = 1n]) =>
  typeof depth === "bigint" ? 11 + actualSize(list) * Number(depth) : 11;

/** cel-go's library of lists. */
export const LIST_BUILDING = buildApiServerLibrary("listBuilding", {
  slice: {
    types: "list(T).(int, int) list(T)",
    ...NEW_LIST,
    estimate: estimateNewList(measureSlice),
    call: slice,
  },
  flatten: {
    types: "list(list(T)).() list(T) | list(dyn).(int) list(dyn)",
    costBefore: getFlattenCost,
    estimate: estimateNewList(
      (call) => operandSize(call, 0),
      (call) => findConstant(call, 1, call.operands.length === 1 ? 1 : LARGEST),
    ),
    call: flatten,
  },
  "lists.range": {
    types: "(int) list(int)",
    estimate: estimateNewList((call) => fixed(findConstant(call, 0, LARGEST))),
    call: range,
    costBefore: getRangeCost,
  },
  reverse: { types: "list(T).() list(T)", ...NEW_LIST, call: onKind("list", reverse) },
  distinct: {
    types: "list(T).() list(T)",
    estimate: estimateNewList(measurePairs(0), () => 2),
    call: distinct,
    costBefore: ([list]) => getComparisonCost(list),
  },
  sort: {
    types: COMPARABLE.map((key) => `list(${key}).() list(${key})`).join(" | "),
    estimate: estimateNewList(measurePairs(0), getSortFactor),
    call: onKind("list", (list) => sortByKeys(list, list)),
    costBefore: ([list]) => getComparisonCost(list),
  },
  "@sortByAssociatedKeys": {
    types: COMPARABLE.map((key) => `list(T).(list(${key})) list(T)`).join(" | "),
    estimate: estimateNewList(measurePairs(1), getSortFactor),
    call: ([list = null, keys = null]) => sortByKeys(list, keys),
    costBefore: ([, keys]) => getComparisonCost(keys),
  },
});
