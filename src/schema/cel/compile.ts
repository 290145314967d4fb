import type { ASTNode } from "@marcbachmann/cel-js";
import { type Arithmetic, calculate, negate } from "./arithmetic.ts";
import { compileCall } from "./call.ts";
import { equal } from "./equal.ts";
import { contains, presence, selected, selectedOptionally } from "./access.ts";
import { type Code, NotCompiled, charge, costSize, isArguments, run, traversal } from "./frame.ts";
import { order } from "./order.ts";
import { dotted } from "./parse.ts";
import type { Names } from "./scope.ts";
import { NO_OVERLOAD, type Value, bytesOf, isFailure, keyText, listOf } from "./value.ts";

const TYPES: ReadonlySet<string> = new Set(
  (
    "bool bytes double int list map null_type string type uint optional_type " +
    "google.protobuf.Timestamp google.protobuf.Duration net.IP net.CIDR"
  ).split(" "),
);
const LEAST_INT = -(2n ** 63n);

/** An expression as a function over its variables. Throws NotCompiled. */
export function compile(node: ASTNode, names: Names): Code {
  switch (node.op) {
    case "value":
      return constant(literal(node.args));
    case "id":
      return identifier(node, names);
    case ".":
    case ".?":
    case "[]":
    case "[?]":
      return compileAccess(node, names);
    case "call":
    case "rcall":
      return node.op === "call" && node.args[0] === "has" ? compileHas(node.args[1], names) : compileCall(node, names);
    case "list":
      return compileList(node.args, names);
    case "map":
      return compileMap(node.args, names);
    case "?:":
      return compileConditional(node.args, names);
    case "||":
    case "&&":
      return compileLogical(node.op === "||", compile(node.args[0], names), compile(node.args[1], names));
    case "!_":
    case "-_":
      return compileUnary(node.op, node.args, names);
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "in":
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return compileBinary(node.op, compile(node.args[0], names), compile(node.args[1], names));
  }
}

function constant(value: Value): Code {
  return () => value;
}

function literal(value: Extract<ASTNode, { readonly op: "value" }>["args"]): Value {
  if (typeof value === "bigint") {
    if (value < LEAST_INT || value > -(LEAST_INT + 1n)) throw new NotCompiled("an integer literal is out of range");
    return value;
  }
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (value instanceof Uint8Array) return bytesOf(value);
  return { kind: "uint", value: value.valueOf() };
}

function identifier(node: ASTNode, names: Names): Code {
  const path = dotted(node) ?? [];
  const slot = names.slots.get(path[0] ?? "");
  const name = path.join(".");
  if (slot !== undefined && path.length === 1) {
    return (frame) => {
      charge(frame, 1);
      return frame.slots[slot] ?? null;
    };
  }
  if (TYPES.has(name)) return constant({ kind: "type", name });
  throw new NotCompiled(`nothing is called ${name}`);
}

type Access = Extract<ASTNode, { readonly op: "." | ".?" | "[]" | "[?]" }>;

function compileAccess(node: Access, names: Names): Code {
  const path = dotted(node);
  if (path && !names.slots.has(path[0] ?? "")) return identifier(node, names);
  const operand = compile(node.args[0], names);
  const key = node.op === "." || node.op === ".?" ? constant(node.args[1]) : compile(node.args[1], names);
  const select = node.op === "." || node.op === "[]" ? selected : selectedOptionally;
  return (frame) => {
    const value = operand(frame);
    if (isFailure(value)) return value;
    const name = key(frame);
    charge(frame, 1);
    return isFailure(name) ? name : select(value, name);
  };
}

function compileHas(args: readonly ASTNode[], names: Names): Code {
  const [node] = args;
  if (args.length !== 1 || node?.op !== ".") throw new NotCompiled("has() takes the selection of a field");
  const [target, name] = node.args;
  const operand = compile(target, names);
  return (frame) => {
    const value = operand(frame);
    return isFailure(value) ? value : presence(value, name);
  };
}

function compileList(nodes: readonly ASTNode[], names: Names): Code {
  const codes = nodes.map((node) => compile(node, names));
  const constants = nodes.every((node) => node.op === "value")
    ? listOf(nodes.map((node) => literal(node.args)))
    : undefined;
  if (constants) return constant(constants);
  return (frame) => {
    const values = run(codes, frame);
    if (!isArguments(values)) return values;
    charge(frame, 10);
    return listOf(values);
  };
}

function compileMap(entries: readonly (readonly [ASTNode, ASTNode])[], names: Names): Code {
  const codes = entries.flatMap(([key, value]) => [compile(key, names), compile(value, names)]);
  return (frame) => {
    const values = run(codes, frame);
    if (!isArguments(values)) return values;
    charge(frame, 30);
    const found = new Map<string, readonly [Value, Value]>();
    for (let i = 0; i < values.length; i += 2) {
      const [key = null, value = null] = values.slice(i, i + 2);
      const text = keyText(key);
      if (text === undefined) return NO_OVERLOAD;
      found.set(text, [key, value]);
    }
    return { kind: "map", entries: found };
  };
}

function compileConditional([condition, yes, no]: readonly [ASTNode, ASTNode, ASTNode], names: Names): Code {
  const [test, left, right] = [compile(condition, names), compile(yes, names), compile(no, names)];
  return (frame) => {
    const chosen = test(frame);
    if (chosen === true) return left(frame);
    if (chosen === false) return right(frame);
    return isFailure(chosen) ? chosen : NO_OVERLOAD;
  };
}

/** Either side may decide alone, even where the other fails. */
export function compileLogical(decisive: boolean, left: Code, right: Code): Code {
  return (frame) => {
    const first = left(frame);
    if (first === decisive) return decisive;
    const second = right(frame);
    if (second === decisive) return decisive;
    if (first === !decisive && second === !decisive) return !decisive;
    const wrong = typeof first === "boolean" ? second : first;
    return isFailure(wrong) ? wrong : NO_OVERLOAD;
  };
}

function compileUnary(op: "!_" | "-_", node: ASTNode, names: Names): Code {
  if (op === "-_" && node.op === "value" && node.args === -LEAST_INT) return constant(LEAST_INT);
  const operand = compile(node, names);
  return (frame) => {
    const value = operand(frame);
    if (isFailure(value)) return value;
    charge(frame, 1);
    if (op === "-_") return negate(value);
    return typeof value === "boolean" ? !value : NO_OVERLOAD;
  };
}

type Binary = (a: Value, b: Value) => Value;

function compileBinary(op: string, left: Code, right: Code): Code {
  const act = BINARY.get(op);
  if (!act) throw new NotCompiled(`there is no operator ${op}`);
  return (frame) => {
    const a = left(frame);
    if (isFailure(a)) return a;
    const b = right(frame);
    if (isFailure(b)) return b;
    charge(frame, binaryCost(op, a, b));
    return act(a, b);
  };
}

function binaryCost(op: string, a: Value, b: Value): number {
  if (op === "in") return Math.max(1, costSize(b));
  if (op === "==" || op === "!=") return traversal(Math.min(costSize(a), costSize(b)));
  if (typeof a !== "string" || typeof b !== "string") return 1;
  return op === "+" ? traversal(a.length + b.length) : traversal(Math.min(a.length, b.length));
}

function ordered(test: (order: number) => boolean): Binary {
  return (a, b) => {
    const found = order(a, b);
    return typeof found === "number" ? test(found) : found;
  };
}

function arithmetic(op: Arithmetic): Binary {
  return (a, b) => calculate(op, a, b);
}

const BINARY: ReadonlyMap<string, Binary> = new Map<string, Binary>([
  ["==", equal],
  [
    "!=",
    (a, b) => {
      const same = equal(a, b);
      return typeof same === "boolean" ? !same : same;
    },
  ],
  ["<", ordered((found) => found < 0)],
  ["<=", ordered((found) => found <= 0)],
  [">", ordered((found) => found > 0)],
  [">=", ordered((found) => found >= 0)],
  ["in", contains],
  ["+", arithmetic("+")],
  ["-", arithmetic("-")],
  ["*", arithmetic("*")],
  ["/", arithmetic("/")],
  ["%", arithmetic("%")],
]);
