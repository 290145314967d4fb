import {
  checkExpression,
  type Checked,
  estimateCost,
  type Expr,
  nodesOf,
  compile,
  CompileError,
  parseExpression,
  requireProgram,
  BOOL,
  STRING,
  type Type,
  typeText,
  type ValueType,
} from "../../cel/index.ts";
import { ENVIRONMENT, declareVariables } from "./rule-program.ts";
import { NEWEST_MINOR } from "../../openapi/index.ts";
import { type RuleLanguage, getRuleLanguage } from "./rule-language.ts";

/** An expression compiled as in the API server: its maximum cost, or why it does not compile. */
export type Compiled =
  | { readonly kind: "compiled"; readonly cost: number; readonly looksBack: boolean }
  | { readonly kind: "invalid"; readonly why: string }
  | { readonly kind: "undecided"; readonly why: string };

/** `optionalOld`: oldSelf is an optional value, so that the rule also runs if there is no old value. */
export type Expression = {
  readonly text: string;
  readonly result: "bool" | "string";
  readonly self: ValueType;
  readonly optionalOld: boolean;
};

/** As an API server of Kubernetes 1.`minor` compiles it; `isNew`: the installed CRD does not have it. */
export function compileExpression(expression: Expression, minor: number, isNew: boolean): Compiled {
  const compiled = compileIn(expression, getRuleLanguage(minor, isNew));
  if (compiled.kind !== "invalid" || minor >= NEWEST_MINOR) return compiled;
  const first = findFirstMinor(expression, minor, isNew);
  if (first === undefined) return compiled;
  return { kind: "invalid", why: `${compiled.why} (Kubernetes 1.${first} and later accept this expression)` };
}

function findFirstMinor(expression: Expression, minor: number, isNew: boolean): number | undefined {
  const later = Array.from({ length: NEWEST_MINOR - minor }, (_, i) => minor + 1 + i);
  return later.find((one) => compileIn(expression, getRuleLanguage(one, isNew)).kind === "compiled");
}

function compileIn(expression: Expression, language: RuleLanguage): Compiled {
  const { text, result, self, optionalOld } = expression;
  try {
    const checked = checkedExpression(text, self.type, optionalOld, language);
    requireResult(checked, result === "bool" ? BOOL : STRING);
    requireProgram(checked);
    compile(checked.expr, ENVIRONMENT);
    const looksBack = [...checked.names.values()].includes("oldSelf");
    return { kind: "compiled", cost: estimateCost(checked, self, language.estimates), looksBack };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { kind: error.isUndecided ? "undecided" : "invalid", why: error.message };
  }
}

function checkedExpression(text: string, self: Type, optionalOld: boolean, language: RuleLanguage): Checked {
  const expr = parseExpression(text, language.macros);
  if (!language.hasOptionalEntries) refuseOptionalEntries(expr);
  return checkExpression(expr, declareVariables(self, optionalOld), language.functions);
}

function refuseOptionalEntries(expr: Expr): void {
  for (const node of nodesOf(expr)) {
    const isOptional =
      (node.op === "list" && node.optional.size > 0) ||
      (node.op === "map" && node.entries.some((entry) => entry.isOptional));
    if (isOptional) throw new CompileError("there are no optional entries", node);
  }
}

function requireResult(checked: Checked, result: Type): void {
  const type = checked.types.get(checked.expr);
  if (type?.kind === result.kind && !type.isWrapper) return;
  throw new CompileError(`it evaluates to ${type ? typeText(type) : "nothing"}, not ${result.name}`, checked.expr);
}
