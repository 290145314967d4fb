import type { Overload } from "../types/signatures.ts";
import { TRAVERSAL } from "../runtime/environment.ts";
import type { CallExpr } from "../syntax/ast.ts";
import type { Coster, CostNode, Range, Entries } from "./coster.ts";
import {
  declaredSize,
  append,
  UNKNOWN_SIZE,
  scale,
  copySizes,
  entriesIn,
  joinEntries,
  pathIn,
  ONE,
  ZERO,
  add,
  asBits,
  union,
  wrapped,
} from "./coster.ts";
import { isSameType } from "../types/types.ts";

/** A call of one signature whose arguments' costs are known. `operands`: what it is called on, if it is a method, and the arguments. */
export type CostedCall = {
  readonly expr: CallExpr;
  readonly overload: Overload;
  readonly operands: readonly CostNode[];
  readonly costs: readonly Range[];
  readonly coster: Coster;
};

/** The cost that a call adds to its arguments' costs, or (`isTotal`) the whole cost, and the size of its result if known. */
export type CallCost = { readonly cost: Range; readonly size?: Range | undefined; readonly isTotal?: boolean };

export type Estimate = (call: CostedCall) => CallCost;

/** Of functions, methods and operators by name: of all signatures, or by their texts. A call of what is not named costs 1. */
export type Estimates = Readonly<Record<string, Estimate | Readonly<Record<string, Estimate>>>>;

/** The size of an operand as the language's own functions estimate it. */
export function knownSize({ operands }: CostedCall, at: number): Range {
  return operands[at]?.size ?? UNKNOWN_SIZE;
}

/** The size of an operand as libraries estimate it: the known one, or else the maximum by the schema. */
export function operandSize({ operands, coster }: CostedCall, at: number): Range {
  return nodeSize(operands[at], coster);
}

export function nodeSize(node: CostNode | undefined, coster: Coster): Range {
  return node?.size ?? (node?.path && declaredSize(coster, node.path)) ?? UNKNOWN_SIZE;
}

/** The elements of a list, if the operand is one: where they are in the object gives their size. */
export function findElement({ operands }: CostedCall, at: number): CostNode | undefined {
  const list = operands[at];
  const [type] = list?.type.parameters ?? [];
  if (list === undefined || type === undefined) return undefined;
  const path =
    list.path && list.path.length > 0 ? append({ ...list.path, capacity: list.path.length }, "@items") : undefined;
  return { path, type, expr: undefined, size: undefined };
}

/** Reads the first operand so many times. */
export function estimateTraversal(times: number): Estimate {
  return (call) => ({ cost: scale(operandSize(call, 0), times * TRAVERSAL) });
}

/** Reads the first operand, and makes a text of its size. */
export const estimateSameSize: Estimate = (call) => {
  const size = operandSize(call, 0);
  return { cost: scale(size, TRAVERSAL), size };
};

/** A traversal, and the size of the result. */
export function estimateConversion(resize: (size: Range) => Range): Estimate {
  return (call) => {
    const size = knownSize(call, 0);
    return { cost: scale(size, TRAVERSAL), size: resize(size) };
  };
}

/** The right side may not be evaluated. */
const estimateLogical: Estimate = ({ costs: [left = ZERO, right = ZERO] }) => ({
  cost: { min: left.min, max: add(left, right).max },
  isTotal: true,
});

const estimateConditional: Estimate = (call) => {
  const [condition = ZERO, yes = ZERO, no = ZERO] = call.costs;
  keepEntries(call, 1, 2);
  return { cost: add(condition, union(yes, no)), size: union(knownSize(call, 1), knownSize(call, 2)), isTotal: true };
};

function keepEntries(call: CostedCall, one: number, other: number): void {
  const entries = joinEntries(findEntries(call, one), findEntries(call, other));
  if (entries) call.coster.entries.set(call.expr, entries);
}

function findEntries({ operands, coster }: CostedCall, at: number): Entries | undefined {
  const expr = operands[at]?.expr;
  return expr && entriesIn(coster, expr);
}

function estimateAddition(factor: number | undefined): Estimate {
  return (call) => {
    const size = add(knownSize(call, 0), knownSize(call, 1));
    keepEntries(call, 0, 1);
    return { cost: factor === undefined ? ONE : scale(size, factor), size };
  };
}

/** Of the shorter one. */
const estimateComparison: Estimate = (call) => {
  const max = Math.min(knownSize(call, 0).max, knownSize(call, 1).max);
  return { cost: scale({ min: max > 0 ? 1 : 0, max }, TRAVERSAL) };
};

const QUICK = new Set(["net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver"]);

const estimateEquality: Estimate = (call) =>
  (call.coster.rules.knowsLibraryEquality ? estimateLibraryEquality(call) : undefined) ?? estimateComparison(call);

/** Of values of Kubernetes' libraries. */
function estimateLibraryEquality({ operands: [left, right] }: CostedCall): CallCost | undefined {
  if (left === undefined || right === undefined || !isSameType(left.type, right.type, true)) return undefined;
  const { kind, name } = left.type;
  if (kind !== "opaque" && kind !== "struct") return undefined;
  if (QUICK.has(name) || name.startsWith("kubernetes.authorization.")) return { cost: ONE };
  if (name === "kubernetes.NamedFormat") return { cost: scale({ min: 1, max: 64 }, TRAVERSAL) };
  return name === "kubernetes.URL" ? { cost: scale({ min: 1, max: (right.size ?? ONE).max }, TRAVERSAL) } : undefined;
}

/** The size of an indexed value is that of the elements of the list or map. */
function estimateIndex(step: string): Estimate {
  return ({ expr, coster, operands: [operand] }) => {
    if (operand?.expr === undefined) return { cost: ONE };
    coster.paths.set(expr, append(pathIn(coster, operand.expr), step));
    return { cost: ONE, size: entriesIn(coster, operand.expr)?.value };
  };
}

/** A character becomes four bytes at most. */
const estimateBytes = estimateConversion(({ min, max }) => ({ min, max: wrapped(asBits(max) * 4n) }));
const estimateText = estimateConversion(({ min, max }) => ({ min: Math.floor(min / 4), max }));

const estimateDyn: Estimate = ({ expr, coster, operands: [operand] }) => {
  if (operand?.expr && coster.rules.tracksEntries) copySizes(expr, operand.expr, coster);
  return { cost: ONE };
};

const COMPARISON = { "(string, string)": estimateComparison, "(bytes, bytes)": estimateComparison };

/** The language's operators and conversions. Source: cel-go's checker/cost.go. */
export const OPERATOR_ESTIMATES: Estimates = {
  "@in": { "(A, list(A))": (call) => ({ cost: scale(knownSize(call, 1), 1) }) },
  "_!=_": estimateComparison,
  "_==_": estimateEquality,
  "_&&_": estimateLogical,
  "_||_": estimateLogical,
  "_+_": {
    "(string, string)": estimateAddition(TRAVERSAL),
    "(bytes, bytes)": estimateAddition(TRAVERSAL),
    "(list(A), list(A))": estimateAddition(undefined),
  },
  "_<=_": COMPARISON,
  "_<_": COMPARISON,
  "_>=_": COMPARISON,
  "_>_": COMPARISON,
  "_?_:_": estimateConditional,
  "_[_]": { "(list(A), int)": estimateIndex("@items"), "(map(A, B), A)": estimateIndex("@values") },
  dyn: estimateDyn,
  string: { "(bytes)": estimateText },
  bytes: { "(string)": estimateBytes },
};
