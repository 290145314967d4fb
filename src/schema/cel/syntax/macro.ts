import type { Expr, MacroCall } from "./ast.ts";

/** The name of a macro's accumulator, which no expression can use. */
export const ACCUMULATOR = "@result";

/** The macros that a parser expands, by `formatMacroKey`. `expand` throws a CompileError. */
export type Expansions = ReadonlyMap<string, { readonly expand: (call: MacroCall) => Expr }>;

/** Macros of one name differ in their number of arguments, and in whether they are called on a value. */
export function formatMacroKey(name: string, isMethod: boolean, argumentCount: number): string {
  return `${isMethod ? "." : ""}${name}/${argumentCount}`;
}

export function findMacro<T>(call: MacroCall, macros: ReadonlyMap<string, T>): T | undefined {
  return macros.get(formatMacroKey(call.name, call.target !== undefined, call.args.length));
}

/** The expansion, in which checks and costs follow cel-go; undefined if the call is not one of a macro. */
export function expandMacro(call: MacroCall, macros: Expansions): Expr | undefined {
  const macro = findMacro(call, macros);
  return macro && { ...macro.expand(call), start: call.start, end: call.end, macro: call };
}
