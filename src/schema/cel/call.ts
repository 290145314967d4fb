import type { ASTNode } from "@marcbachmann/cel-js";
import { compile } from "./compile.ts";
import { type Code, type Frame, NotCompiled, charge, isArguments, run } from "./frame.ts";
import { GLOBALS, METHODS, type Fn } from "./functions.ts";
import { compileMacro } from "./macros.ts";
import { dotted } from "./parse.ts";
import type { Names } from "./scope.ts";
import { type Value, failure } from "./value.ts";

export type Call = Extract<ASTNode, { readonly op: "call" | "rcall" }>;

/** A call of a function or method, or a macro's expansion. */
export function compileCall(node: Call, names: Names): Code {
  if (node.op === "call") return callOf(node.args[0], GLOBALS, node.args[1], names);
  const [name, receiver, args] = node.args;
  const path = dotted(receiver);
  if (path && !names.slots.has(path[0] ?? "")) {
    const qualified = `${path.join(".")}.${name}`;
    if (GLOBALS.has(qualified)) return callOf(qualified, GLOBALS, args, names);
  }
  return compileMacro(name, receiver, args, names) ?? callOf(name, METHODS, [receiver, ...args], names);
}

function callOf(name: string, all: ReadonlyMap<string, Fn>, args: readonly ASTNode[], names: Names): Code {
  const fn = all.get(name);
  if (!fn || args.length < fn.least || args.length > fn.most) {
    throw new NotCompiled(`there is no function ${name} of ${args.length} arguments`);
  }
  const prepared = fn.prepare?.(args.map((arg) => (arg.op === "value" ? arg.args : undefined)));
  const [codes, act] = [args.map((arg) => compile(arg, names)), prepared ?? fn.act];
  return (frame) => {
    const values = run(codes, frame);
    return isArguments(values) ? called(fn, act, values, frame) : values;
  };
}

/** The longest text or list that a call may make. */
const LARGEST = 50_000_000;

function called(fn: Fn, act: Fn["act"], values: readonly Value[], frame: Frame): Value {
  if (fn.before) charge(frame, fn.before(values));
  const result = act(values);
  charge(frame, fn.cost?.(values, result) ?? 1);
  if (typeof result === "string" && result.length > LARGEST) return failure("the text is too long");
  return result;
}
