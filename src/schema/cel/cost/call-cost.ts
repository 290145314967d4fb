import type { CallExpr } from "../syntax/ast.ts";
import { type Coster, type CostNode, entriesIn, joinEntries } from "./coster.ts";
import { ONE, type Range, UNKNOWN_SIZE, ZERO, add, asBits, multiply, scale, union, wrapped } from "./estimate.ts";
import { libraryCost } from "./library-cost.ts";
import { listCallCost } from "./list-cost.ts";

/** A call whose arguments' costs are known. */
export type CostedCall = {
  readonly expr: CallExpr;
  readonly name: string;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
  readonly costs: readonly Range[];
};

/** The cost that a call adds to its arguments' costs, or (`isTotal`) the whole cost, and the size of its result if known. */
export type CallCost = { readonly cost: Range; readonly size?: Range; readonly isTotal?: boolean };

/** Characters are traversed ten at a time; four characters of a pattern count as an expression. */
export const TRAVERSAL = 0.1;
export const PATTERN = 0.25;

export function callEstimate(call: CostedCall, overload: string, coster: Coster): CallCost {
  const estimate = listCallCost(call, overload, coster) ??
    libraryCost(call, overload, coster) ??
    ownCost(call, overload, coster) ?? { cost: ONE };
  return estimate.isTotal ? estimate : { ...estimate, cost: add(estimate.cost, ...call.costs) };
}

export function estimateSize(node: CostNode | undefined): Range {
  return node?.size ?? UNKNOWN_SIZE;
}

/** The language's own functions. */
function ownCost(call: CostedCall, overload: string, coster: Coster): CallCost | undefined {
  const { target, args } = call;
  const [first, second] = args;
  switch (overload) {
    case "format string.(list(dyn))":
      return { cost: scale(estimateSize(target), TRAVERSAL) };
    case "bytes (string)":
    case "string (bytes)":
    case "strings.quote (string)":
      return convertedCost(overload, estimateSize(first));
    case "startsWith string.(string)":
    case "endsWith string.(string)":
      return { cost: scale(estimateSize(first), TRAVERSAL) };
    case "@in (A, list(A))":
      return { cost: scale(estimateSize(second), 1) };
    case "matches string.(string)":
      return { cost: patternCost(estimateSize(target), estimateSize(first)) };
    case "contains string.(string)":
      return { cost: multiply(scale(estimateSize(target), TRAVERSAL), scale(estimateSize(first), TRAVERSAL)) };
    case "_||_ (bool, bool)":
    case "_&&_ (bool, bool)":
      return logicalCost(call.costs);
    case "_?_:_ (bool, A, A)":
      return conditionalCost(call, coster);
    case "_+_ (string, string)":
    case "_+_ (bytes, bytes)":
    case "_+_ (list(A), list(A))":
      return additionCost(call, overload, coster);
    default:
      return COMPARISONS.has(overload) ? comparisonCost(estimateSize(first), estimateSize(second)) : undefined;
  }
}

const COMPARISONS = new Set(
  ["_<_", "_>_", "_<=_", "_>=_"]
    .flatMap((name) => [`${name} (string, string)`, `${name} (bytes, bytes)`])
    .concat("_==_ (A, A)", "_!=_ (A, A)"),
);

/** One more character, so that an empty text still costs what its pattern does. */
export function patternCost(text: Range, pattern: Range): Range {
  return multiply(scale(add(text, ONE), TRAVERSAL), scale(pattern, PATTERN));
}

/** A character becomes four bytes at most, and a quoted one two. */
function convertedCost(overload: string, { min, max }: Range): CallCost {
  const cost = scale({ min, max }, TRAVERSAL);
  if (overload.startsWith("bytes")) return { cost, size: { min, max: wrapped(asBits(max) * 4n) } };
  if (overload.startsWith("string ")) return { cost, size: { min: Math.floor(min / 4), max } };
  return { cost, size: { min: wrapped(asBits(min) + 2n), max: wrapped(asBits(max) * 2n + 2n) } };
}

/** The right side may not be evaluated. */
function logicalCost([left = ZERO, right = ZERO]: readonly Range[]): CallCost {
  return { cost: { min: left.min, max: add(left, right).max }, isTotal: true };
}

function conditionalCost({ expr, args, costs }: CostedCall, coster: Coster): CallCost {
  const [condition = ZERO, yes = ZERO, no = ZERO] = costs;
  const entries = joinEntries(getEntries(args[1], coster), getEntries(args[2], coster));
  if (entries) coster.entries.set(expr, entries);
  return {
    cost: add(condition, union(yes, no)),
    size: union(estimateSize(args[1]), estimateSize(args[2])),
    isTotal: true,
  };
}

function getEntries(node: CostNode | undefined, coster: Coster): ReturnType<typeof entriesIn> {
  return node?.expr && entriesIn(coster, node.expr);
}

function additionCost({ expr, args }: CostedCall, overload: string, coster: Coster): CallCost {
  const [left, right] = args;
  const size = add(estimateSize(left), estimateSize(right));
  const entries = joinEntries(getEntries(left, coster), getEntries(right, coster));
  if (entries) coster.entries.set(expr, entries);
  return { cost: overload.includes("list") ? ONE : scale(size, TRAVERSAL), size };
}

/** Of the shorter one. */
function comparisonCost(left: Range, right: Range): CallCost {
  const max = Math.min(left.max, right.max);
  return { cost: scale({ min: max > 0 ? 1 : 0, max }, TRAVERSAL) };
}
