import type { ASTNode } from "@marcbachmann/cel-js";
import { compile } from "./compiler.ts";
import { type Interpretable, type Activation, CompileError, charge, isArguments, evaluateAll } from "./activation.ts";
import { type FunctionImplementation, type FunctionRow, findRows } from "../library/function-table.ts";
import { compileMacro } from "./macros.ts";
import { findQualifiedName } from "./parser.ts";
import type { VariableSlots } from "./variable-slots.ts";
import { type CelValue, NO_OVERLOAD, buildError } from "./values/value.ts";

export type CallNode = Extract<ASTNode, { readonly op: "call" | "rcall" }>;

/** A call of a function or method, or a macro's expansion. */
export function compileCall(node: CallNode, names: VariableSlots): Interpretable {
  if (node.op === "call") return compileFunctionCall(node.args[0], false, node.args[1], names);
  const [name, receiver, args] = node.args;
  const path = findQualifiedName(receiver);
  if (path && !names.slots.has(path[0] ?? "")) {
    const qualified = `${path.join(".")}.${name}`;
    if (names.functions.find(qualified)) return compileFunctionCall(qualified, false, args, names);
  }
  return compileMacro(name, receiver, args, names) ?? compileFunctionCall(name, true, [receiver, ...args], names);
}

function compileFunctionCall(
  name: string,
  isMethod: boolean,
  args: readonly ASTNode[],
  names: VariableSlots,
): Interpretable {
  const constants = args.map((arg) => (arg.op === "value" ? arg.args : undefined));
  const functions = findRows(names.functions, name, isMethod, args.length).flatMap((row) => {
    const call = row.specialize?.(constants) ?? row.call;
    return call ? [{ row, call }] : [];
  });
  if (functions.length === 0) throw new CompileError(`there is no function ${name} of ${args.length} arguments`);
  const codes = args.map((arg) => compile(arg, names));
  return (frame) => {
    const values = evaluateAll(codes, frame);
    return isArguments(values) ? callFunction(functions, values, frame) : values;
  };
}

/** The longest text or list that a call may make. */
const MAX_TEXT_LENGTH = 50_000_000;

type BoundRow = { readonly row: FunctionRow; readonly call: FunctionImplementation };

function callFunction(functions: readonly BoundRow[], values: readonly CelValue[], frame: Activation): CelValue {
  for (const [i, { row, call }] of functions.entries()) {
    if (row.costBefore) charge(frame, row.costBefore(values));
    const result = call(values);
    if (result === NO_OVERLOAD && i + 1 < functions.length) continue;
    charge(frame, row.cost?.(values, result) ?? (row.costBefore ? 0 : 1));
    if (typeof result === "string" && result.length > MAX_TEXT_LENGTH) return buildError("the text is too long");
    return result;
  }
  return NO_OVERLOAD;
}
