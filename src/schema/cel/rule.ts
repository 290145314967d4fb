import { errorText } from "../../model/errors.ts";
import type { RuleText } from "../node.ts";
import { compile } from "./compile.ts";
import { type Code, type Frame, NotCompiled, OverBudget } from "./frame.ts";
import { parse } from "./parse.ts";
import { RULE_NAMES } from "./scope.ts";
import { NOTHING, NotJudged, Panicked, type Value, isFailure } from "./value.ts";

/** A rule made ready: its code and that of its message, or why there is none. */
export type Program =
  | { readonly kind: "program"; readonly test: Code; readonly message: Code | undefined }
  | { readonly kind: "none"; readonly why: string };

/** What a rule says of a value. `cost` is in the API server's units; `stops`: no further rule is run. */
export type Outcome =
  | { readonly kind: "holds"; readonly cost: number }
  | {
      readonly kind: "fails";
      readonly cost: number;
      readonly message: string;
      readonly isError: boolean;
      readonly stops: boolean;
    }
  | { readonly kind: "notEvaluated"; readonly why: string };

/** The most that one evaluation may cost (PerCallLimit). */
const CALL_LIMIT = 1_000_000;

export function prepareRule(text: RuleText): Program {
  const test = tryCompile(text.rule);
  if (typeof test === "string") return { kind: "none", why: test };
  const message = text.messageExpression === "" ? "" : tryCompile(text.messageExpression);
  return { kind: "program", test, message: typeof message === "string" ? undefined : message };
}

function tryCompile(expression: string): Code | string {
  try {
    return compile(parse(expression), RULE_NAMES);
  } catch (error) {
    if (error instanceof NotCompiled || error instanceof RangeError) return errorText(error);
    throw error;
  }
}

/** Evaluates a rule for a value; of what it was before there is nothing in a new object. `left` is what is left of the object's budget. */
export function evaluateRule(
  program: Program,
  text: RuleText,
  self: Value,
  left: number,
  old: Value = NOTHING,
): Outcome {
  if (program.kind === "none") return { kind: "notEvaluated", why: program.why };
  const frame: Frame = { slots: [self, old], spent: 0, limit: CALL_LIMIT };
  try {
    const result = program.test(frame);
    if (frame.spent > left) return stopped(frame, OUT_OF_BUDGET);
    if (result === true) return { kind: "holds", cost: frame.spent };
    if (isFailure(result)) return failed(frame, errorMessage(result.text, text), true);
    return withMessage(program, text, frame, left);
  } catch (error) {
    if (error instanceof OverBudget) return stopped(frame, overLimit(text));
    if (error instanceof Panicked) return failed(frame, errorMessage(error.message, text), true);
    if (error instanceof NotJudged || error instanceof RangeError)
      return { kind: "notEvaluated", why: errorText(error) };
    throw error;
  }
}

const OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run";

function overLimit(text: RuleText): string {
  return `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${shown(text)}`;
}

function failed(frame: Frame, message: string, isError: boolean): Outcome {
  return { kind: "fails", cost: frame.spent, message, isError, stops: false };
}

function stopped(frame: Frame, message: string): Outcome {
  return { kind: "fails", cost: frame.spent, message, isError: true, stops: true };
}

function shown(text: RuleText): string {
  return (text.message === "" ? text.rule : text.message).trim();
}

function errorMessage(error: string, text: RuleText): string {
  if (!error.startsWith("no such overload")) return `${error} evaluating rule: ${shown(text)}`;
  return `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${shown(text)}`;
}

/** The rule is false: its message is evaluated, or else taken as it is. */
function withMessage(
  program: Extract<Program, { kind: "program" }>,
  text: RuleText,
  frame: Frame,
  left: number,
): Outcome {
  const plain = text.message === "" ? `failed rule: ${text.rule.trim()}` : text.message.trim();
  if (!program.message) return failed(frame, plain, false);
  const own: Frame = { slots: frame.slots, spent: 0, limit: CALL_LIMIT };
  try {
    const message = program.message(own);
    const both = { ...frame, spent: frame.spent + own.spent };
    return both.spent > left ? stopped(both, OUT_OF_MESSAGE) : failed(both, evaluated(message) ?? plain, false);
  } catch (error) {
    if (error instanceof OverBudget)
      return stopped(
        frame,
        `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${text.messageExpression}`,
      );
    if (error instanceof NotJudged || error instanceof RangeError || error instanceof Panicked)
      return failed(frame, plain, false);
    throw error;
  }
}

const OUT_OF_MESSAGE =
  "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
const LONGEST_MESSAGE = 5 * 1_024;

/** A message is one line that is neither empty nor too long. */
function evaluated(message: Value): string | undefined {
  const text = typeof message === "string" ? message.trim() : "";
  const fits = text !== "" && !text.includes("\n") && Buffer.byteLength(text, "utf8") <= LONGEST_MESSAGE;
  return fits ? text : undefined;
}
