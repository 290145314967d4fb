import { formatError } from "../../model/errors.ts";
import { checkExpression } from "./check/checker.ts";
import { requireProgram } from "./check/program.ts";
import { UnknownFieldError } from "./check/type-check.ts";
import { DYN, type Type } from "./types/types.ts";
import type { Activation, EvaluationLimits, FunctionTable, Interpretable } from "./runtime/environment.ts";
import { CALL_LIMITS, CostLimitError, openActivation } from "./runtime/environment.ts";
import { compile } from "./runtime/compiler.ts";
import { type CelValue, type ErrorValue, PanicError, UnsupportedError, isError } from "./values/value.ts";
import { ExhaustedError } from "./values/meter.ts";
import { type Expr, CompileError } from "./syntax/ast.ts";
import type { Expansions } from "./syntax/macros.ts";
import { parseExpression } from "./syntax/parser.ts";

/** What an expression may use: variables in the order in which their values are given, functions, and macros. */
export type Declarations = {
  readonly variables: readonly (readonly [name: string, type: Type])[];
  readonly functions: FunctionTable;
  readonly macros: Expansions;
  /** Whether lists and maps may hold values of several types, which the API server refuses in expressions. */
  readonly mayMix?: true;
  /** Whether the expression is known to compile: its code is then made when it is first evaluated. */
  readonly isSound?: boolean;
  /** Whether other expressions are evaluated for the same values, one after the other. */
  readonly isShared?: true | undefined;
};

/** An expression that is ready to be evaluated. `names`: the variables that it uses. */
export type CompiledExpression = {
  readonly kind: "expression";
  readonly syntax: Expr;
  readonly type: Type;
  readonly names: ReadonlySet<string>;
  readonly code: Interpretable;
};

/**
 * Why an expression can't be evaluated, and where in its text; the API server refuses it too, unless `isUndecided`. `of`: the type that
 * lacks the field.
 */
export type ExpressionFault = { readonly kind: "fault"; readonly of?: Type } & Readonly<
  Pick<CompileError, "message" | "start" | "end" | "isUndecided">
>;

/** Compiles an expression as the API server compiles one of a ValidatingAdmissionPolicy. */
export function compileObjectExpression(
  text: string,
  declarations: Declarations,
): CompiledExpression | ExpressionFault {
  const { macros } = declarations;
  try {
    return compileSyntax(parseExpression(text, macros), declarations);
  } catch (error) {
    return buildFault(error);
  }
}

function buildFault(error: unknown): ExpressionFault {
  if (!(error instanceof CompileError)) throw error;
  const { message, start, end, isUndecided } = error;
  return {
    kind: "fault",
    message,
    start,
    end,
    isUndecided,
    of: error instanceof UnknownFieldError ? error.of : undefined,
  };
}

/** The type of an expression's value, with other types of its variables than those that it was compiled with. */
export function findType(
  syntax: Expr,
  { variables, functions }: Pick<Declarations, "variables" | "functions">,
): Type | ExpressionFault {
  try {
    return checkExpression(syntax, variables, functions).types.get(syntax) ?? DYN;
  } catch (error) {
    return buildFault(error);
  }
}

/** A part of an expression that uses no variables: its value is the same wherever it is evaluated. Throws a CompileError. */
export function compileConstant(syntax: Expr, declarations: Omit<Declarations, "variables">): CompiledExpression {
  return compileSyntax(syntax, { ...declarations, variables: [] });
}

function compileSyntax(syntax: Expr, declarations: Declarations): CompiledExpression {
  const { variables, functions } = declarations;
  const checked = checkExpression(syntax, variables, functions);
  if (declarations.isSound !== true) requireProgram(checked, declarations.mayMix);
  const slots = new Map(variables.map(([name], i) => [name, i]));
  const { isShared } = declarations;
  const environment = { slots, size: variables.length, functions, overloads: checked.overloads, isShared };
  const used = new Set(checked.names.values());
  const names = new Set([...slots.keys()].filter((name) => used.has(name)));
  const type = checked.types.get(checked.expr) ?? DYN;
  const build = (): Interpretable => compile(checked.expr, environment);
  const of = { kind: "expression", syntax: checked.expr, type, names } as const;
  return declarations.isSound === true ? compileLate(of, build) : { ...of, code: build() };
}

function compileLate(of: Omit<CompiledExpression, "code">, build: () => Interpretable): CompiledExpression {
  const compiled = {
    ...of,
    code(frame: Activation): CelValue {
      compiled.code = build();
      return compiled.code(frame);
    },
  };
  return compiled;
}

/** What an evaluation took: its cost in the API server's units, the work that they leave out, and the bytes that it made. */
export type Taken = { readonly cost: number; readonly work: number; readonly memory: number };

/** `unsupported`: the API server may find a value here, which preflight can't. */
export type ExpressionOutcome =
  | { readonly kind: "value"; readonly value: CelValue }
  | {
      readonly kind: "error" | "costLimit" | "unsupported";
      readonly text: string;
      readonly missing?: ErrorValue["missing"];
    };

export type Evaluation = Taken & ExpressionOutcome;

/** Evaluates an expression for the values of its variables. Nothing that an object holds makes it throw. */
export function evaluateExpression(
  expression: CompiledExpression,
  variables: readonly CelValue[],
  limits: EvaluationLimits = CALL_LIMITS,
): Evaluation {
  const frame = openActivation([...variables], limits);
  const outcome = evaluateIn(expression, frame);
  if (outcome.kind !== "value") return { ...outcome, ...getTaken(frame) };
  // Spread, the rest would take as long as a short expression.
  const { spent: cost, worked, made: memory } = frame;
  return { kind: "value", value: outcome.value, cost, work: Math.floor(worked), memory };
}

/** Evaluates an expression in an activation, which holds afterwards what that took. Nothing that an object holds makes it throw. */
export function evaluateIn({ code }: CompiledExpression, activation: Activation): ExpressionOutcome {
  try {
    const value = code(activation);
    return isError(value) ? { ...value, kind: "error" } : { kind: "value", value };
  } catch (error) {
    return { kind: getFailureKind(error), text: formatError(error) };
  }
}

export function getTaken({ spent: cost, worked, made: memory }: Activation): Taken {
  return { cost, work: Math.floor(worked), memory };
}

function getFailureKind(error: unknown): "error" | "costLimit" | "unsupported" {
  if (error instanceof CostLimitError || error instanceof ExhaustedError) return "costLimit";
  if (error instanceof PanicError) return "error";
  if (error instanceof UnsupportedError || error instanceof RangeError) return "unsupported";
  throw error;
}
