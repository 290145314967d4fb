import type { Overload } from "../runtime/function-table.ts";
import type { CallExpr } from "../syntax/ast.ts";
import { TRAVERSAL } from "../runtime/activation.ts";
import { type Coster, type CostNode, declaredSize } from "./coster.ts";
import { append } from "./data-path.ts";
import { ONE, type Range, UNKNOWN_SIZE, add, scale } from "./estimate.ts";

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

export function estimateOverload(call: CostedCall): CallCost {
  const { estimate } = call.overload.row;
  const own = typeof estimate === "function" ? estimate : estimate?.[call.overload.text];
  const result = own?.(call) ?? { cost: ONE };
  return result.isTotal ? result : { ...result, cost: add(result.cost, ...call.costs) };
}

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
