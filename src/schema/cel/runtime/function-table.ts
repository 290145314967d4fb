import type { ServerFeature } from "../../openapi/index.ts";
import { type Overload, type SignatureTable, parseSignatures } from "../types/signatures.ts";
import type { CelValue } from "../values/value.ts";
import type { Interpretable } from "./activation.ts";

export type FunctionImplementation = (args: readonly CelValue[]) => CelValue;

/** A function, or those signatures of it that are implemented alike. A method's first argument is what it is called on. No argument is an error. */
export type FunctionRow = {
  /** The signatures in the order in which they are tried; see `parseSignatures`. */
  readonly types: string;
  readonly call?: FunctionImplementation;
  /** In place of `call`: evaluates the operands itself, and perhaps not all. Without both it can be type-checked, but not be called. */
  readonly compile?: (...operands: readonly Interpretable[]) => Interpretable;
  /** What a call takes from the limit of its evaluation; 1 if absent. `costBefore` is charged before the call instead. */
  readonly cost?: (args: readonly CelValue[], result: CelValue) => number;
  readonly costBefore?: (args: readonly CelValue[]) => number;
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
