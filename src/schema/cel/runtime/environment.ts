import type { ServerFeature } from "../../openapi/index.ts";
import type { Expr } from "../syntax/ast.ts";
import { type Overload, type SignatureTable, parseSignatures } from "../types/signatures.ts";
import { getMapSize } from "../values/equality.ts";
import { MEMORY_LIMIT, type Meter, WORK_LIMIT } from "../values/meter.ts";
import { getListSize } from "../values/unstructured.ts";
import type { CelValue, ObjectValue, OfKind } from "../values/value.ts";
import { NO_OVERLOAD, isError, isKind, isList, isMap, isObjectValue } from "../values/value.ts";

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

/** Characters are traversed ten at a time; four characters of a pattern count as an expression. */
export const TRAVERSAL = 0.1;

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

/** An activation that is used for one evaluation after another. */
export type ReusedActivation = { -readonly [Key in keyof Activation]: Activation[Key] };

/** Begins the next evaluation, with the value of its only variable. To open an activation would take as long as a short expression. */
export function reopenActivation(activation: ReusedActivation, value: CelValue, limits: EvaluationLimits): void {
  activation.variables[0] = value;
  activation.spent = activation.worked = activation.made = 0;
  activation.costLimit = limits.cost;
  activation.workLimit = limits.work;
  activation.memoryLimit = limits.memory;
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

export const PATTERN = 0.25;

export function getTraversalCost(size: number): number {
  return Math.ceil(size * TRAVERSAL);
}
