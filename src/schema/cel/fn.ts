import { traversal, costSize } from "./frame.ts";
import { NO_OVERLOAD, type Other, type Value, isList, isOther, type List } from "./value.ts";

export type Act = (args: readonly Value[]) => Value;

/**
 * A function, or a method whose first argument is what it is called on. No argument is a failure. `before` is a cost charged before the
 * work is done, `cost` one that follows from it (1 where there is none); `prepare` gets the arguments that are constants.
 */
export type Fn = {
  readonly least: number;
  readonly most: number;
  readonly act: Act;
  readonly cost?: (args: readonly Value[], result: Value) => number;
  readonly before?: (args: readonly Value[]) => number;
  readonly prepare?: (constants: readonly unknown[]) => Act | undefined;
};

export type Named = readonly (readonly [string, Fn])[];

/** Costs one traversal of the first argument. */
export function traverses({ 0: first = null }: readonly Value[]): number {
  return traversal(costSize(first));
}

export function traversesTwice({ 0: first = null }: readonly Value[]): number {
  return traversal(costSize(first) * 2);
}

export function onText(act: (text: string) => Value): Act {
  return ([text]) => (typeof text === "string" ? act(text) : NO_OVERLOAD);
}

export function onTexts(act: (text: string, other: string) => Value): Act {
  return ([text, other]) => (typeof text === "string" && typeof other === "string" ? act(text, other) : NO_OVERLOAD);
}

export function onList(act: (list: List) => Value): Act {
  return ([list = null]) => (isList(list) ? act(list) : NO_OVERLOAD);
}

/** Of two lists. */
export function onLists(act: (list: List, other: List) => Value): Act {
  return ([list = null, other = null]) => (isList(list) && isList(other) ? act(list, other) : NO_OVERLOAD);
}

export function on<K extends Other["kind"]>(kind: K, act: (value: Extract<Other, { kind: K }>) => Value): Act {
  return ([value = null]) => (isKind(value, kind) ? act(value) : NO_OVERLOAD);
}

export function onBoth<K extends Other["kind"]>(
  kind: K,
  act: (value: Extract<Other, { kind: K }>, other: Extract<Other, { kind: K }>) => Value,
): Act {
  return ([value = null, other = null]) =>
    isKind(value, kind) && isKind(other, kind) ? act(value, other) : NO_OVERLOAD;
}

export function isKind<K extends Other["kind"]>(value: Value, kind: K): value is Extract<Other, { kind: K }> {
  return isOther(value) && value.kind === kind;
}
