import { getTraversalCost, actualSize } from "../values/size.ts";
import { NO_OVERLOAD, type CelValue, type ObjectValue, type OfKind, isKind } from "../values/value.ts";
import type { FunctionImplementation, FunctionRow, FunctionRows } from "../runtime/function-table.ts";

/** Costs one traversal of the first argument. */
export function traverseOnce({ 0: first = null }: readonly CelValue[]): number {
  return getTraversalCost(actualSize(first));
}

export function traverseTwice({ 0: first = null }: readonly CelValue[]): number {
  return getTraversalCost(actualSize(first) * 2);
}

export function onText(act: (text: string) => CelValue): FunctionImplementation {
  return ([text]) => (typeof text === "string" ? act(text) : NO_OVERLOAD);
}

export function onTexts(act: (text: string, other: string) => CelValue): FunctionImplementation {
  return ([text, other]) => (typeof text === "string" && typeof other === "string" ? act(text, other) : NO_OVERLOAD);
}

type Kind = ObjectValue["kind"];

export function onKind<K extends Kind>(kind: K, act: (value: OfKind<K>) => CelValue): FunctionImplementation {
  return ([value = null]) => (isKind(value, kind) ? act(value) : NO_OVERLOAD);
}

export function onSameKind<K extends Kind>(
  kind: K,
  act: (value: OfKind<K>, other: OfKind<K>) => CelValue,
): FunctionImplementation {
  return ([value = null, other = null]) =>
    isKind(value, kind) && isKind(other, kind) ? act(value, other) : NO_OVERLOAD;
}

/** Reads its first argument once. */
export const READS_ONCE = { cost: traverseOnce };

/** The comparisons of two values of a kind. */
export function defineComparisons<K extends Kind>(
  type: string,
  kind: K,
  compare: (value: OfKind<K>, other: OfKind<K>) => number,
): FunctionRows {
  const define = (result: string, tell: (order: number) => CelValue): FunctionRow => ({
    types: `${type}.(${type}) ${result}`,
    call: onSameKind(kind, (a, b) => tell(compare(a, b))),
  });
  return {
    isGreaterThan: define("bool", (order) => order > 0),
    isLessThan: define("bool", (order) => order < 0),
    compareTo: define("int", (order) => BigInt(order)),
  };
}
