import { type Interpretable, getTraversalCost, actualSize } from "./activation.ts";
import { type Overload, type SignatureTable, parseSignatures } from "../types/signatures.ts";
import type { Expr } from "../syntax/ast.ts";
import type { ServerFeature } from "../../openapi/index.ts";
import type { Meter } from "../values/meter.ts";
import { type CelValue, type ObjectValue, type OfKind, NO_OVERLOAD, isKind } from "../values/value.ts";

/** What an expression can use: variables, each with its slot, and functions. `size` slots are taken. */
export type Environment = {
  readonly slots: ReadonlyMap<string, number>;
  readonly size: number;
  readonly functions: FunctionTable;
  /** Of each call the overloads that type-checking has left, if it has been checked. */
  readonly overloads?: ReadonlyMap<Expr, readonly Overload[]> | undefined;
  /** Whether other expressions are evaluated for the same values, one after the other. */
  readonly isShared?: true | undefined;
};

/** Adds a variable, which hides others of the same name, and returns its slot. */
export function addVariable(environment: Environment, name: string): readonly [Environment, number] {
  const { slots, size } = environment;
  return [{ ...environment, slots: new Map([...slots, [name, size]]), size: size + 1 }, size];
}

/** Does "a.b.c" begin with a variable? */
export function beginsWithVariable(name: string, { slots }: Environment): boolean {
  return slots.has(/^\.?([^.]*)/.exec(name)?.[1] ?? "");
}

/** Compiles a part of an expression. Throws CompileError. */
export type Compile = (expr: Expr, environment: Environment) => Interpretable;

/** What it does besides reading each text that it is given, it counts. */
export type FunctionImplementation = (args: readonly CelValue[], meter: Meter) => CelValue;

/** A function, or those signatures of it that are implemented alike. A method's first argument is what it is called on. No argument is an error. */
export type FunctionRow = {
  /** The signatures in the order in which they are tried; see `parseSignatures`. */
  readonly types: string;
  readonly call?: FunctionImplementation;
  /** In place of `call`: evaluates the operands itself, and perhaps not all. Without both it can be type-checked, but not be called. */
  readonly compile?: (...operands: readonly Interpretable[]) => Interpretable;
  /** What a call takes from the limit of its evaluation; 1 if absent. `costBefore` is charged before the call instead. */
  readonly cost?: (args: readonly CelValue[], result: CelValue, meter: Meter) => number;
  readonly costBefore?: (args: readonly CelValue[], meter: Meter) => number;
  /** An implementation for the arguments that are constants, or why there is none. */
  readonly specialize?: (constants: readonly unknown[]) => FunctionImplementation | string | undefined;
};

export type FunctionRows = Readonly<Record<string, FunctionRow>>;

/** Functions that came together, by qualified name. */
export type Library = { readonly feature: ServerFeature; readonly functions: FunctionRows };

export function buildApiServerLibrary(feature: ServerFeature, functions: FunctionRows): Library {
  return { feature, functions };
}

/** The functions that an expression may call, with what implements them. */
export type FunctionTable = SignatureTable & {
  readonly names: ReadonlySet<string>;
  /** The rows that implement a function, method or operator for a number of arguments. */
  readonly findRows: (name: string, isMethod: boolean, count: number) => readonly FunctionRow[];
};

type ImplementedOverload = Overload & { readonly row: FunctionRow };

/**
 * The functions whose feature the API server has. Most expressions use few functions, so the signatures of each are parsed when it is first
 * called.
 */
export function buildFunctionTable(
  libraries: readonly Library[],
  isKnown: (feature: ServerFeature) => boolean = () => true,
): FunctionTable {
  const parsed = new Map<string, readonly ImplementedOverload[]>();
  const names = new Set(libraries.flatMap(({ functions }) => Object.keys(functions)));
  const find = (name: string): readonly ImplementedOverload[] | undefined => {
    if (!names.has(name)) return undefined;
    const overloads =
      parsed.get(name) ??
      libraries.flatMap((library) => parseOverloads(library, name)).filter(({ feature }) => isKnown(feature));
    parsed.set(name, overloads);
    return overloads.length === 0 ? undefined : overloads;
  };
  const findRows: FunctionTable["findRows"] = (name, isMethod, count) => {
    const fitting = (find(name) ?? []).filter((one) => one.isMethod === isMethod && one.args.length === count);
    return [...new Set(fitting.map(({ row }) => row))];
  };
  return { find, names, findRows };
}

function parseOverloads({ feature, functions }: Library, name: string): readonly ImplementedOverload[] {
  const row = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (row === undefined) return [];
  return parseSignatures(row.types).map((one) => ({ ...one, name, row, feature: one.feature ?? feature }));
}

/** Costs one traversal of the first argument. */
export function traverseOnce({ 0: first = null }: readonly CelValue[]): number {
  return getTraversalCost(actualSize(first));
}

export function traverseTwice({ 0: first = null }: readonly CelValue[]): number {
  return getTraversalCost(actualSize(first) * 2);
}

export function onText(act: (text: string, meter: Meter) => CelValue): FunctionImplementation {
  return ([text], meter) => (typeof text === "string" ? act(text, meter) : NO_OVERLOAD);
}

export function onTexts(act: (text: string, other: string, meter: Meter) => CelValue): FunctionImplementation {
  return ([text, other], meter) =>
    typeof text === "string" && typeof other === "string" ? act(text, other, meter) : NO_OVERLOAD;
}

type Kind = ObjectValue["kind"];

export function onKind<K extends Kind>(
  kind: K,
  act: (value: OfKind<K>, meter: Meter) => CelValue,
): FunctionImplementation {
  return ([value = null], meter) => (isKind(value, kind) ? act(value, meter) : NO_OVERLOAD);
}

export function onSameKind<K extends Kind>(
  kind: K,
  act: (value: OfKind<K>, other: OfKind<K>, meter: Meter) => CelValue,
): FunctionImplementation {
  return ([value = null, other = null], meter) =>
    isKind(value, kind) && isKind(other, kind) ? act(value, other, meter) : NO_OVERLOAD;
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
