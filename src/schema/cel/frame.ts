import { type Value, isFailure, isList, isMap, isOther } from "./value.ts";
import { mapSize } from "./equal.ts";
import { listSize } from "./wrap.ts";

/** One evaluation: the variables, and what it has cost so far in the API server's units. */
export type Frame = { readonly slots: Value[]; spent: number; readonly limit: number };

/** A compiled expression. */
export type Code = (frame: Frame) => Value;

/** An evaluation is over its limit; nothing can catch it. */
export class OverBudget extends Error {
  override readonly name = "OverBudget";
}

/** An expression that can't be compiled here. */
export class NotCompiled extends Error {
  override readonly name = "NotCompiled";
}

export function charge(frame: Frame, cost: number): void {
  frame.spent += cost;
  if (frame.spent > frame.limit) throw new OverBudget("over the limit of one rule");
}

/** What the API server takes for a value's size when it counts costs: characters, bytes, items; 1 for anything else. */
export function costSize(value: Value): number {
  if (typeof value === "string") return value.length;
  if (!isOther(value)) return 1;
  if (isList(value)) return listSize(value);
  if (isMap(value)) return mapSize(value);
  if (value.kind === "bytes") return value.bytes.length;
  if (value.kind === "ip") return value.bytes.length;
  if (value.kind === "cidr") return Math.ceil(value.bits / 8);
  return value.kind === "optional" && value.value !== undefined ? costSize(value.value) : 1;
}

export const TRAVERSAL = 0.1;
export const PATTERN = 0.25;

export function traversal(size: number): number {
  return Math.ceil(size * TRAVERSAL);
}

/** The values of the arguments, or the first failure among them. */
export function run(codes: readonly Code[], frame: Frame): readonly Value[] | Value {
  const values: Value[] = [];
  for (const code of codes) {
    const value = code(frame);
    if (isFailure(value)) return value;
    values.push(value);
  }
  return values;
}

export function isArguments(value: readonly Value[] | Value): value is readonly Value[] {
  return Array.isArray(value);
}
