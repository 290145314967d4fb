import type { Expr, MacroCall, Span } from "./ast.ts";

/** The name of a macro's accumulator, which no expression can use. */
export const ACCUMULATOR = "@result";

/** The macros that a parser expands, by `formatMacroKey`. `expand` throws a CompileError. */
export type Expansions = ReadonlyMap<string, { readonly expand: (call: MacroCall) => Expr }>;

/** Macros of one name differ in their number of operands, and in whether they are called on a value. */
export function formatMacroKey(name: string, isMethod: boolean, operandCount: number): string {
  return `${isMethod ? "method " : ""}${name}/${operandCount}`;
}

/** The expansion, in which checks and costs follow cel-go; undefined if the call is not one of a macro. */
export function expandMacro(
  { start, end }: Span,
  name: string,
  isMethod: boolean,
  operands: readonly Expr[],
  macros: Expansions,
): Expr | undefined {
  const key = formatMacroKey(name, isMethod, operands.length);
  const [first, ...others] = operands;
  const macro = macros.get(key);
  if (first === undefined || macro === undefined) return undefined;
  const call: MacroCall = { key, operands: [first, ...others], start, end };
  return { ...macro.expand(call), start, end, macro: call };
}
