import { TRAVERSAL } from "../values/size.ts";
import { type CostedCall, type Estimate, type Estimates, findElement, nodeSize, operandSize } from "./call-estimate.ts";
import { LARGEST, ONE, type Range, add, asBits, fixed, multiply, scale, wrapped } from "./estimate.ts";

/** Texts and bytes are traversed. */
const estimateOverItems: Estimate = (call) => {
  const list = operandSize(call, 0);
  const element = findElement(call, 0);
  if (element === undefined) return { cost: scale(list, TRAVERSAL) };
  const isText = element.type.kind === "string" || element.type.kind === "bytes";
  return { cost: multiply(list, isText ? add(ONE, scale(nodeSize(element, call.coster), TRAVERSAL)) : ONE) };
};

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
  const start = findExact(call, 1) ?? 0n;
  const end = findExact(call, 2) ?? asBits(operandSize(call, 0).max);
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

/** Each item of the one with each of the other, so many times. */
function estimatePairs(times: number): Estimate {
  return (call) => ({ cost: add(scale(multiply(operandSize(call, 0), operandSize(call, 1)), times), ONE) });
}

/** Sources: lists in apiserver's pkg/cel/library/cost.go; cel-go's ext/lists.go and ext/sets.go. */
export const LIST_ESTIMATES: Estimates = {
  isSorted: estimateOverItems,
  sum: estimateOverItems,
  max: estimateOverItems,
  min: estimateOverItems,
  indexOf: { "list(A).(A)": estimateOverItems },
  lastIndexOf: { "list(A).(A)": estimateOverItems },
  slice: estimateNewList(measureSlice),
  flatten: estimateNewList(
    (call) => operandSize(call, 0),
    (call) => findConstant(call, 1, call.operands.length === 1 ? 1 : LARGEST),
  ),
  "lists.range": estimateNewList((call) => fixed(findConstant(call, 0, LARGEST))),
  reverse: estimateNewList((call) => operandSize(call, 0)),
  distinct: estimateNewList(measurePairs(0), () => 2),
  sort: estimateNewList(measurePairs(0), getSortFactor),
  "@sortByAssociatedKeys": estimateNewList(measurePairs(1), getSortFactor),
  "sets.contains": estimatePairs(1),
  "sets.intersects": estimatePairs(1),
  "sets.equivalent": estimatePairs(2),
};
