import type { Expr, MacroCall, Span } from "./ast.ts";

/** The name of a macro's accumulator, which no expression can use. */
export const ACCUMULATOR = "@result";

/** What a macro stands for: its calls are checked, estimated and evaluated as their expansion. `expand` throws a CompileError. */
export type MacroBody = { readonly isMethod: boolean; readonly expand: (call: MacroCall) => Expr };

/** The macros that a parser expands, by `formatMacroKey`. */
export type Expansions = ReadonlyMap<string, MacroBody>;

/** Macros of one name differ in their number of operands, and in whether they are called on a value. */
export function formatMacroKey(name: string, isMethod: boolean, operandCount: number): string {
  return `${isMethod ? "method " : ""}${name}/${operandCount}`;
}

/** The expansion; undefined if the call is not one of a macro. */
export function expandMacro(
  { start, end }: Span,
  name: string,
  isMethod: boolean,
  operands: readonly Expr[],
  macros: Expansions,
): Expr | undefined {
  const [first, ...others] = operands;
  const macro = macros.get(formatMacroKey(name, isMethod, operands.length));
  if (first === undefined || macro === undefined) return undefined;
  return { ...macro.expand({ operands: [first, ...others], start, end }), start, end };
}
