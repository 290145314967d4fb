import { formatError } from "../../../model/errors.ts";
import type { Type, Interpretable, Activation, Environment, CelValue } from "../../cel/index.ts";
import {
  API_SERVER_MACROS,
  checkExpression,
  optionalType,
  API_SERVER_FUNCTIONS,
  compile,
  CostLimitError,
  ExhaustedError,
  exceedsBudget,
  openActivation,
  CompileError,
  parseExpression,
  quoteAsGo,
  OPTIONAL_NONE,
  UnsupportedError,
  PanicError,
  isError,
  nodesOf,
} from "../../cel/index.ts";
import type { SchemaRule } from "../../openapi/index.ts";

/** A compiled rule and its compiled message, or why it could not be compiled. */
export type Program =
  | { readonly kind: "program"; readonly test: Interpretable; readonly message: Interpretable | undefined }
  | { readonly kind: "none"; readonly why: string };

/**
 * The result of a rule for a value. `cost` is in the API server's units. `isError`: the rule has no value; otherwise it is false. `stops`: no
 * further rule is run, since the rule costs too much, or else its message.
 */
export type RuleOutcome =
  | { readonly kind: "holds"; readonly cost: number }
  | {
      readonly kind: "fails";
      readonly cost: number;
      readonly message: string;
      readonly isError: boolean;
      readonly stops: boolean;
    }
  | { readonly kind: "notEvaluated"; readonly why: string };

/** `self`: the type of the value, if what the rule does depends on it. */
export function compileRule(text: SchemaRule, self?: Type): Program {
  const variables = self && declareVariables(self, text.usesOldSelf === "perhaps");
  const test = tryCompile(text.rule, variables);
  if (typeof test === "string") return { kind: "none", why: test };
  const message = text.messageExpression === "" ? "" : tryCompile(text.messageExpression, variables);
  return { kind: "program", test, message: typeof message === "string" ? undefined : message };
}

/** What a rule can use. */
export const ENVIRONMENT: Environment = {
  slots: new Map([
    ["self", 0],
    ["oldSelf", 1],
  ]),
  size: 2,
  functions: API_SERVER_FUNCTIONS,
};

/**
 * For a value whose type `dyn` hides, cel-go may take the first overload that fits, and fails if the value is of another type. Everything
 * else can be called by what the values are.
 */
export function needsTypes({ rule, messageExpression }: SchemaRule): boolean {
  return /\bdyn\b/.test(`${rule} ${messageExpression}`);
}

type Variables = readonly (readonly [name: string, type: Type])[];

export function declareVariables(self: Type, optionalOld: boolean): Variables {
  return Object.entries({ self, oldSelf: optionalOld ? optionalType(self) : self });
}

function tryCompile(expression: string, variables: Variables | undefined): Interpretable | string {
  try {
    const expr = parseExpression(expression, API_SERVER_MACROS);
    const checked = variables && checkExpression(expr, variables, API_SERVER_FUNCTIONS);
    return compile(checked?.expr ?? expr, { ...ENVIRONMENT, overloads: checked?.overloads });
  } catch (error) {
    if (error instanceof CompileError || error instanceof RangeError) return formatError(error);
    throw error;
  }
}

/** Evaluates a rule for a value. A new object has no old value. `remainingBudget` is the object's. */
export function evaluateRule(
  program: Program,
  text: SchemaRule,
  self: CelValue,
  remainingBudget: number,
  old: CelValue = OPTIONAL_NONE,
): RuleOutcome {
  if (program.kind === "none") return { kind: "notEvaluated", why: program.why };
  const frame = openActivation([self, old]);
  try {
    const result = program.test(frame);
    if (exceedsBudget(frame, remainingBudget)) return buildStop(frame, BUDGET_EXCEEDED, true);
    if (result === true) return { kind: "holds", cost: frame.spent };
    if (isError(result)) return buildFailure(frame, formatEvaluationError(result.text, text), true);
    return evaluateMessage(program, text, frame, remainingBudget);
  } catch (error) {
    if (error instanceof CostLimitError)
      return buildStop(
        frame,
        exceedsBudget(frame, remainingBudget) ? BUDGET_EXCEEDED : formatCostLimitError(text),
        true,
      );
    if (error instanceof PanicError) return buildFailure(frame, formatEvaluationError(error.message, text), true);
    if (error instanceof UnsupportedError || error instanceof RangeError)
      return { kind: "notEvaluated", why: formatError(error) };
    throw error;
  }
}

export const BUDGET_EXCEEDED =
  "validation failed due to running out of cost budget, no further validation rules will be run";

function formatCostLimitError(text: SchemaRule): string {
  return `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${formatRule(text)}`;
}

function buildFailure(frame: Activation, message: string, isError: boolean): RuleOutcome {
  return { kind: "fails", cost: frame.spent, message, isError, stops: false };
}

function buildStop(frame: Activation, message: string, isError: boolean): RuleOutcome {
  return { kind: "fails", cost: frame.spent, message, isError, stops: true };
}

function formatRule(text: SchemaRule): string {
  return (text.message === "" ? text.rule : text.message).trim();
}

function formatEvaluationError(error: string, text: SchemaRule): string {
  if (!error.startsWith("no such overload")) return `${error} evaluating rule: ${formatRule(text)}`;
  return `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${formatRule(text)}`;
}

/** Evaluates the message of a rule that is false, or else uses the fixed one. */
function evaluateMessage(
  program: Extract<Program, { kind: "program" }>,
  text: SchemaRule,
  frame: Activation,
  remainingBudget: number,
): RuleOutcome {
  const plain = text.message === "" ? `failed rule: ${text.rule.trim()}` : text.message.trim();
  if (!program.message) return buildFailure(frame, plain, false);
  const messageFrame = openActivation([...frame.variables]);
  const isOverBudget = (): boolean => exceedsBudget(messageFrame, remainingBudget - frame.spent);
  try {
    const message = program.message(messageFrame);
    if (isOverBudget()) return buildStop(frame, MESSAGE_BUDGET_EXCEEDED, false);
    const total = { ...frame, spent: frame.spent + messageFrame.spent };
    return buildFailure(total, parseMessage(message) ?? plain, false);
  } catch (error) {
    if (error instanceof CostLimitError)
      return buildStop(frame, isOverBudget() ? MESSAGE_BUDGET_EXCEEDED : formatMessageCostLimitError(text), false);
    // What it costs decides whether a failure that is tolerated still ends the validation.
    if (error instanceof ExhaustedError) return { kind: "notEvaluated", why: formatError(error) };
    if (error instanceof UnsupportedError || error instanceof RangeError || error instanceof PanicError)
      return buildFailure(frame, plain, false);
    throw error;
  }
}

function formatMessageCostLimitError({ messageExpression }: SchemaRule): string {
  return `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quoteAsGo(messageExpression)}`;
}

const MESSAGE_BUDGET_EXCEEDED =
  "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
const MAX_MESSAGE_BYTES = 5 * 1_024;

/** A message must be one line that is neither empty nor too long. */
function parseMessage(message: CelValue): string | undefined {
  const text = typeof message === "string" ? message.trim() : "";
  const fits = text !== "" && !text.includes("\n") && Buffer.byteLength(text, "utf8") <= MAX_MESSAGE_BYTES;
  return fits ? text : undefined;
}

/** Does a rule use the value before a write? One that can't be parsed does not. */
export function usesOldSelf(rule: string): boolean {
  if (!rule.includes("oldSelf")) return false;
  try {
    const nodes = [...nodesOf(parseExpression(rule, API_SERVER_MACROS))];
    return nodes.some((node) => node.op === "ident" && /^\.?oldSelf$/.test(node.name));
  } catch (error) {
    if (error instanceof CompileError) return false;
    throw error;
  }
}
