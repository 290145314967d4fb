import { type CelValue, isError, isList, isMap, isObjectValue } from "../values/value.ts";
import { getMapSize } from "../values/equality.ts";
import { type Meter, MEMORY_LIMIT, WORK_LIMIT } from "../values/meter.ts";
import { getListSize } from "../values/unstructured.ts";

/** One evaluation: the variables, what it has cost so far in the API server's units, and what it takes beyond that. */
export type Activation = Meter & { readonly variables: CelValue[]; spent: number; readonly costLimit: number };

/** The most that one evaluation may cost, work besides, and make. */
export type EvaluationLimits = { readonly cost: number; readonly work: number; readonly memory: number };

/**
 * A compiled expression. `constant`: its value if it needs no evaluation, which may be a failure. `find`: of one whose value is always
 * optional, what that holds.
 */
export type Interpretable = {
  (activation: Activation): CelValue;
  readonly constant?: CelValue;
  readonly find?: (activation: Activation) => CelValue | undefined;
};

/** The most that one evaluation may cost in the API server (PerCallLimit). */
export const PER_CALL_LIMIT = 1_000_000;
export const CALL_LIMITS: EvaluationLimits = { cost: PER_CALL_LIMIT, work: WORK_LIMIT, memory: MEMORY_LIMIT };

/** The variables are the evaluation's own from now on. */
export function openActivation(variables: CelValue[], limits = CALL_LIMITS): Activation {
  const { cost: costLimit, work: workLimit, memory: memoryLimit } = limits;
  return { variables, spent: 0, costLimit, worked: 0, workLimit, made: 0, memoryLimit };
}

/** An evaluation exceeded its cost limit; no operator can absorb this. */
export class CostLimitError extends Error {
  override readonly name = "OverBudget";
}

/** A count below zero is a very large one in the API server. */
export function charge(activation: Activation, cost: number): void {
  activation.spent += cost;
  if (activation.spent > activation.costLimit || activation.spent < 0)
    throw new CostLimitError("over the limit of one rule");
}

/** Whether an evaluation, also one that was ended, has cost more than is left for the object. */
export function exceedsBudget({ spent }: Activation, remainingBudget: number): boolean {
  return spent < 0 || spent > remainingBudget;
}

/** The values of the arguments, or the first failure among them. */
export function evaluateAll(
  operands: readonly Interpretable[],
  activation: Activation,
): readonly CelValue[] | CelValue {
  const values: CelValue[] = [];
  for (const operand of operands) {
    const value = operand(activation);
    if (isError(value)) return value;
    values.push(value);
  }
  return values;
}

export function isArguments(value: readonly CelValue[] | CelValue): value is readonly CelValue[] {
  return Array.isArray(value);
}

/** A value's size for cost accounting in the API server: characters, bytes or items; 1 for anything else. */
export function actualSize(value: CelValue): number {
  if (typeof value === "string") return value.length;
  if (!isObjectValue(value)) return 1;
  if (isList(value)) return getListSize(value);
  if (isMap(value)) return getMapSize(value);
  if (value.kind === "bytes") return value.bytes.length;
  if (value.kind === "ip") return value.bytes.length;
  if (value.kind === "cidr") return Math.ceil(value.prefixLength / 8);
  return value.kind === "optional" && value.value !== undefined ? actualSize(value.value) : 1;
}

/** Characters are traversed ten at a time; four characters of a pattern count as an expression. */
export const TRAVERSAL = 0.1;
export const PATTERN = 0.25;

export function getTraversalCost(size: number): number {
  return Math.ceil(size * TRAVERSAL);
}
