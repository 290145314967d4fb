import { compilePattern } from "../../schema/openapi/index.ts";
import {
  type CallExpr,
  type Evaluation,
  type EvaluationLimits,
  type Expr,
  type Span,
  CompileError,
  compileConstant,
  evaluateExpression,
  getChildren,
  nodesOf,
} from "../../schema/cel/index.ts";
import type { DocumentPlace, PlacedFault } from "../format/fault.ts";
import { suggestConstant } from "./constant-hints.ts";
import { declare } from "./names.ts";

/** What is written down, and what no cluster makes right. */
export function findConstantFaults(syntax: Expr, place: DocumentPlace): readonly PlacedFault[] {
  const ofCalls = [...nodesOf(syntax)].flatMap((node): readonly PlacedFault[] => {
    if (node.op !== "call") return [];
    if (COMPARING.has(node.name) && node.args.some(isVersionText)) return [buildVersionFault(node, place)];
    return judgePattern(node, place);
  });
  const failed = evaluateConstants(syntax).failed.map(({ call, text }) => buildFailure(call, text, place));
  return [...ofCalls, ...failed];
}

/** The conditions within an expression that are the same for every cluster. One that is the whole expression is judged with its rule. */
export function findConstantWarnings(syntax: Expr, place: DocumentPlace): readonly PlacedFault[] {
  return evaluateConstants(syntax).decided.flatMap(({ call: { start, end }, value }): readonly PlacedFault[] => {
    if (start === syntax.start && end === syntax.end) return [];
    const message = `this is always ${String(value)}`;
    return [{ severity: "warning", place, message, hint: "leave it out", span: { start, end } }];
  });
}

const COMPARING = new Set(["_<_", "_<=_", "_>_", "_>=_"]);

function isVersionText(expr: Expr): boolean {
  if (expr.op !== "select" || expr.operand.op !== "ident") return false;
  return ["source", "target"].includes(expr.operand.name) && ["version", "minor"].includes(expr.field);
}

/** "4.9" comes after "4.10". */
function buildVersionFault({ start, end }: Span, place: DocumentPlace): PlacedFault {
  const hint = 'write target.openshift >= minor("4.20"), or version(target.version).isLessThan(version("4.20.3"))';
  return { severity: "error", place, message: "texts are compared letter by letter", hint, span: { start, end } };
}

function judgePattern({ name, args }: CallExpr, place: DocumentPlace): readonly PlacedFault[] {
  const written = args.at(-1);
  if (name !== "capture" || written?.op !== "literal" || typeof written.value !== "string") return [];
  if (compilePattern(written.value).groupCount() < 2) return [];
  const { start, end } = written;
  const message = "the pattern has more than one group: write (?:...)";
  return [{ severity: "error", place, message, span: { start, end } }];
}

/** The calls whose operands are all written down: those without a value, and the outermost ones that are true or false. */
type Constants = {
  readonly isConstant: boolean;
  readonly failed: readonly { readonly call: CallExpr; readonly text: string }[];
  readonly decided: readonly { readonly call: CallExpr; readonly value: boolean }[];
};

function evaluateConstants(expr: Expr): Constants {
  const parts = getChildren(expr).map(evaluateConstants);
  const known: Constants = {
    isConstant: expr.op !== "ident" && expr.op !== "fold" && parts.every(({ isConstant }) => isConstant),
    failed: parts.flatMap(({ failed }) => failed),
    decided: parts.flatMap(({ decided }) => decided),
  };
  if (expr.op !== "call" || !known.isConstant) return known;
  const result = evaluate(expr);
  if (result?.kind === "error")
    return { ...known, isConstant: false, failed: [...known.failed, { call: expr, text: result.text }] };
  if (result?.kind !== "value") return { ...known, isConstant: false };
  const { value } = result;
  return { ...known, decided: typeof value === "boolean" ? [{ call: expr, value }] : [] };
}

/** What is written down is short: what takes more makes something large of it. */
export const CONSTANT_LIMITS: EvaluationLimits = { cost: 1_000, work: 10_000, memory: 1 << 20 };

/** Undefined if only the whole expression has types that fit. */
function evaluate(call: CallExpr): Evaluation | undefined {
  // The one makes something large of a number, and the pattern of the other is judged by itself.
  if (call.name === "lists.range" || call.name === "capture") return undefined;
  try {
    return evaluateExpression(compileConstant(call, declare([])), [], CONSTANT_LIMITS);
  } catch (error) {
    if (error instanceof CompileError) return undefined;
    throw error;
  }
}

/** Marks the text that the call does not understand. */
function buildFailure(call: CallExpr, text: string, place: DocumentPlace): PlacedFault {
  const [written, ...others] = call.target === undefined ? call.args : [call.target, ...call.args];
  const isOfText = written?.op === "literal" && typeof written.value === "string" && others.length === 0;
  const { start, end } = isOfText ? written : call;
  const said = isOfText ? suggestConstant(call.name, String(written.value)) : undefined;
  return { severity: "error", place, message: said?.message ?? text, hint: said?.hint, span: { start, end } };
}
