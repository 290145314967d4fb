import { checkExpression } from "../cel/check/checker.ts";
import type { Checked } from "../cel/check/type-check.ts";
import { estimateCost } from "../cel/cost/cost.ts";
import { API_SERVER_FUNCTIONS } from "../cel/library/api-server.ts";
import { API_SERVER_MACROS } from "../cel/macros/table.ts";
import { compile } from "../cel/runtime/compiler.ts";
import { CompileError } from "../cel/syntax/compile-error.ts";
import { parseExpression } from "../cel/syntax/parser.ts";
import { requireProgram } from "../cel/check/program.ts";
import { BOOL, STRING, type Type, optionalType, typeText } from "../cel/check/types.ts";
import { ENVIRONMENT } from "./rule-program.ts";
import type { ValueType } from "../cel/check/value-type.ts";

/** An expression compiled as in the API server: its maximum cost, or why it does not compile. */
export type Compiled =
  | { readonly kind: "compiled"; readonly cost: number; readonly looksBack: boolean }
  | { readonly kind: "invalid"; readonly why: string }
  | { readonly kind: "undecided"; readonly why: string };

/** `optionalOld`: oldSelf is an optional value, so that the rule also runs if there is no old value. */
export function compileExpression(
  text: string,
  result: "bool" | "string",
  self: ValueType,
  optionalOld: boolean,
): Compiled {
  try {
    const checked = checkedExpression(text, self.type, optionalOld);
    requireResult(checked, result === "bool" ? BOOL : STRING);
    requireProgram(checked);
    compile(checked.expr, ENVIRONMENT);
    const looksBack = [...checked.names.values()].includes("oldSelf");
    return { kind: "compiled", cost: estimateCost(checked, self), looksBack };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { kind: error.isUndecided ? "undecided" : "invalid", why: error.message };
  }
}

function checkedExpression(text: string, self: Type, optionalOld: boolean): Checked {
  const variables = Object.entries({ self, oldSelf: optionalOld ? optionalType(self) : self });
  return checkExpression(parseExpression(text, API_SERVER_MACROS), variables, API_SERVER_FUNCTIONS);
}

function requireResult(checked: Checked, result: Type): void {
  const type = checked.types.get(checked.expr);
  if (type?.kind === result.kind && !type.isWrapper) return;
  throw new CompileError(`it evaluates to ${type ? typeText(type) : "nothing"}, not ${result.name}`, checked.expr);
}
