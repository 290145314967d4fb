import type { Overload } from "../types/signatures.ts";
import { TRAVERSAL } from "../values/size.ts";
import type { CallExpr } from "../syntax/ast.ts";
import { type Coster, type CostNode, declaredSize } from "./coster.ts";
import { append } from "./data-path.ts";
import { type Range, UNKNOWN_SIZE, scale } from "./estimate.ts";

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
