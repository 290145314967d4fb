import type { Estimate } from "../cost/call-estimate.ts";
import type { CelValue } from "../runtime/values/value.ts";
import { type Signature, parseSignatures } from "./signatures.ts";

/** Who declares a function: the API server for all expressions, for rules of CRDs alone, or preflight. */
export type Owner = "api-server" | "rules" | "preflight";

export type FunctionImplementation = (args: readonly CelValue[]) => CelValue;

/** A function, or those signatures of it that are implemented alike. A method's first argument is what it is called on. No argument is an error. */
export type FunctionRow = {
  readonly name: string;
  /** In the order in which they are tried; see `parseSignatures`. */
  readonly signatures: string;
  /** The most that a call may cost, of all signatures or by their texts; 1 if absent. */
  readonly estimate?: Estimate | Readonly<Record<string, Estimate>>;
  /** Absent if rules can't call it: there is no value to call it on, or macros alone use it. */
  readonly call?: FunctionImplementation;
  /** What a call costs; 1 if absent. `costBefore` is charged before the call instead. */
  readonly cost?: (args: readonly CelValue[], result: CelValue) => number;
  readonly costBefore?: (args: readonly CelValue[]) => number;
  /** An implementation for the arguments that are constants. */
  readonly specialize?: (constants: readonly unknown[]) => FunctionImplementation | undefined;
};

/** Functions that came together. `since`: the minor of Kubernetes that brought them. */
export type Library = { readonly owner: Owner; readonly since: number; readonly functions: readonly FunctionRow[] };

/** One signature with the row that has it. */
export type Overload = Signature & { readonly row: FunctionRow; readonly owner: Owner; readonly since: number };

/** The functions that an expression may call, by qualified name. */
export type FunctionTable = {
  readonly find: (name: string) => readonly Overload[] | undefined;
};

/** Most expressions use few functions, so the signatures of each are parsed when it is first called. */
export function buildFunctionTable(libraries: readonly Library[]): FunctionTable {
  const overloads = new Map<string, readonly Overload[]>();
  const rows = Map.groupBy(
    libraries.flatMap((library) => library.functions.map((row) => ({ library, row }))),
    ({ row }) => row.name,
  );
  return {
    find: (name) => {
      const known = overloads.get(name);
      if (known !== undefined) return known;
      const parsed = rows.get(name)?.flatMap(({ library, row }) => parseRow(library, row));
      if (parsed !== undefined) overloads.set(name, parsed);
      return parsed;
    },
  };
}

function parseRow({ owner, since }: Library, row: FunctionRow): readonly Overload[] {
  return parseSignatures(row.signatures).map((signature) => ({
    ...signature,
    row,
    owner,
    since: signature.since ?? since,
  }));
}

/** The rows that implement a function or method for a number of arguments. */
export function findRows(table: FunctionTable, name: string, isMethod: boolean, count: number): readonly FunctionRow[] {
  const overloads = (table.find(name) ?? []).filter(
    (overload) => overload.isMethod === isMethod && overload.args.length === count,
  );
  return [...new Set(overloads.map(({ row }) => row))];
}
