import type { ASTNode } from "@marcbachmann/cel-js";
import { compile } from "./compiler.ts";
import { type Interpretable, type Activation, CompileError, charge, isArguments, evaluateAll } from "./activation.ts";
import { GLOBAL_FUNCTIONS, MEMBER_FUNCTIONS, type CelFunction } from "./function-table.ts";
import { compileMacro } from "./macros.ts";
import { findQualifiedName } from "./parser.ts";
import type { VariableSlots } from "./variable-slots.ts";
import { type CelValue, buildError } from "./values/value.ts";

export type CallNode = Extract<ASTNode, { readonly op: "call" | "rcall" }>;

/** A call of a function or method, or a macro's expansion. */
export function compileCall(node: CallNode, names: VariableSlots): Interpretable {
  if (node.op === "call") return compileFunctionCall(node.args[0], GLOBAL_FUNCTIONS, node.args[1], names);
  const [name, receiver, args] = node.args;
  const path = findQualifiedName(receiver);
  if (path && !names.slots.has(path[0] ?? "")) {
    const qualified = `${path.join(".")}.${name}`;
    if (GLOBAL_FUNCTIONS.has(qualified)) return compileFunctionCall(qualified, GLOBAL_FUNCTIONS, args, names);
  }
  return (
    compileMacro(name, receiver, args, names) ?? compileFunctionCall(name, MEMBER_FUNCTIONS, [receiver, ...args], names)
  );
}

function compileFunctionCall(
  name: string,
  functions: ReadonlyMap<string, CelFunction>,
  args: readonly ASTNode[],
  names: VariableSlots,
): Interpretable {
  const fn = functions.get(name);
  if (!fn || args.length < fn.min || args.length > fn.max) {
    throw new CompileError(`there is no function ${name} of ${args.length} arguments`);
  }
  const prepared = fn.specialize?.(args.map((arg) => (arg.op === "value" ? arg.args : undefined)));
  const [codes, implementation] = [args.map((arg) => compile(arg, names)), prepared ?? fn.call];
  return (frame) => {
    const values = evaluateAll(codes, frame);
    return isArguments(values) ? callFunction(fn, implementation, values, frame) : values;
  };
}

/** The longest text or list that a call may make. */
const MAX_TEXT_LENGTH = 50_000_000;

function callFunction(
  fn: CelFunction,
  implementation: CelFunction["call"],
  values: readonly CelValue[],
  frame: Activation,
): CelValue {
  if (fn.costBefore) charge(frame, fn.costBefore(values));
  const result = implementation(values);
  charge(frame, fn.cost?.(values, result) ?? 1);
  if (typeof result === "string" && result.length > MAX_TEXT_LENGTH) return buildError("the text is too long");
  return result;
}
