import type { ASTNode } from "@marcbachmann/cel-js";
import { type ArithmeticOperator, calculate, negate } from "./values/arithmetic.ts";
import { compileCall } from "./function-calls.ts";
import { equal } from "./values/equality.ts";
import { isIn, hasField, selectField, selectOptionalField } from "./selection.ts";
import {
  type Interpretable,
  CompileError,
  charge,
  actualSize,
  isArguments,
  evaluateAll,
  getTraversalCost,
} from "./activation.ts";
import { compareValues } from "./values/ordering.ts";
import { findQualifiedName } from "./parser.ts";
import type { VariableSlots } from "./variable-slots.ts";
import { NO_OVERLOAD, type CelValue, buildBytes, isError, formatMapKey, buildList } from "./values/value.ts";

const TYPE_IDENTIFIERS: ReadonlySet<string> = new Set(
  (
    "bool bytes double int list map null_type string type uint optional_type " +
    "google.protobuf.Timestamp google.protobuf.Duration net.IP net.CIDR"
  ).split(" "),
);
const MIN_INT64 = -(2n ** 63n);

/** Compiles an expression to a function of its variables. Throws CompileError. */
export function compile(node: ASTNode, names: VariableSlots): Interpretable {
  switch (node.op) {
    case "value":
      return buildConstant(parseLiteral(node.args));
    case "id":
      return compileIdentifier(node, names);
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

function buildConstant(value: CelValue): Interpretable {
  return () => value;
}

function parseLiteral(value: Extract<ASTNode, { readonly op: "value" }>["args"]): CelValue {
  if (typeof value === "bigint") {
    if (value < MIN_INT64 || value > -(MIN_INT64 + 1n)) throw new CompileError("an integer literal is out of range");
    return value;
  }
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (value instanceof Uint8Array) return buildBytes(value);
  return { kind: "uint", value: value.valueOf() };
}

function compileIdentifier(node: ASTNode, names: VariableSlots): Interpretable {
  const path = findQualifiedName(node) ?? [];
  const slot = names.slots.get(path[0] ?? "");
  const name = path.join(".");
  if (slot !== undefined && path.length === 1) {
    return (frame) => {
      charge(frame, 1);
      return frame.variables[slot] ?? null;
    };
  }
  if (TYPE_IDENTIFIERS.has(name)) return buildConstant({ kind: "type", name });
  throw new CompileError(`the name ${name} is not declared`);
}

type AccessNode = Extract<ASTNode, { readonly op: "." | ".?" | "[]" | "[?]" }>;

function compileAccess(node: AccessNode, names: VariableSlots): Interpretable {
  const path = findQualifiedName(node);
  if (path && !names.slots.has(path[0] ?? "")) return compileIdentifier(node, names);
  const operand = compile(node.args[0], names);
  const key = node.op === "." || node.op === ".?" ? buildConstant(node.args[1]) : compile(node.args[1], names);
  const select = node.op === "." || node.op === "[]" ? selectField : selectOptionalField;
  return (frame) => {
    const value = operand(frame);
    if (isError(value)) return value;
    const name = key(frame);
    charge(frame, 1);
    return isError(name) ? name : select(value, name);
  };
}

function compileHas(args: readonly ASTNode[], names: VariableSlots): Interpretable {
  const [node] = args;
  if (args.length !== 1 || node?.op !== ".") throw new CompileError("has() takes the selection of a field");
  const [target, name] = node.args;
  const operand = compile(target, names);
  return (frame) => {
    const value = operand(frame);
    return isError(value) ? value : hasField(value, name);
  };
}

function compileList(nodes: readonly ASTNode[], names: VariableSlots): Interpretable {
  const codes = nodes.map((node) => compile(node, names));
  const constants = nodes.every((node) => node.op === "value")
    ? buildList(nodes.map((node) => parseLiteral(node.args)))
    : undefined;
  if (constants) return buildConstant(constants);
  return (frame) => {
    const values = evaluateAll(codes, frame);
    if (!isArguments(values)) return values;
    charge(frame, 10);
    return buildList(values);
  };
}

function compileMap(entries: readonly (readonly [ASTNode, ASTNode])[], names: VariableSlots): Interpretable {
  const codes = entries.flatMap(([key, value]) => [compile(key, names), compile(value, names)]);
  return (frame) => {
    const values = evaluateAll(codes, frame);
    if (!isArguments(values)) return values;
    charge(frame, 30);
    const result = new Map<string, readonly [CelValue, CelValue]>();
    for (let i = 0; i < values.length; i += 2) {
      const [key = null, value = null] = values.slice(i, i + 2);
      const text = formatMapKey(key);
      if (text === undefined) return NO_OVERLOAD;
      result.set(text, [key, value]);
    }
    return { kind: "map", entries: result };
  };
}

function compileConditional(
  [condition, yes, no]: readonly [ASTNode, ASTNode, ASTNode],
  names: VariableSlots,
): Interpretable {
  const [test, left, right] = [compile(condition, names), compile(yes, names), compile(no, names)];
  return (frame) => {
    const decision = test(frame);
    if (decision === true) return left(frame);
    if (decision === false) return right(frame);
    return isError(decision) ? decision : NO_OVERLOAD;
  };
}

/** Either side may decide alone, even if the other fails. */
export function compileLogical(decisive: boolean, left: Interpretable, right: Interpretable): Interpretable {
  return (frame) => {
    const first = left(frame);
    if (first === decisive) return decisive;
    const second = right(frame);
    if (second === decisive) return decisive;
    if (first === !decisive && second === !decisive) return !decisive;
    const failure = typeof first === "boolean" ? second : first;
    return isError(failure) ? failure : NO_OVERLOAD;
  };
}

function compileUnary(op: "!_" | "-_", node: ASTNode, names: VariableSlots): Interpretable {
  if (op === "-_" && node.op === "value" && node.args === -MIN_INT64) return buildConstant(MIN_INT64);
  const operand = compile(node, names);
  return (frame) => {
    const value = operand(frame);
    if (isError(value)) return value;
    charge(frame, 1);
    if (op === "-_") return negate(value);
    return typeof value === "boolean" ? !value : NO_OVERLOAD;
  };
}

type BinaryOperation = (a: CelValue, b: CelValue) => CelValue;

function compileBinary(op: string, left: Interpretable, right: Interpretable): Interpretable {
  const act = BINARY_OPERATIONS.get(op);
  if (!act) throw new CompileError(`there is no operator ${op}`);
  return (frame) => {
    const a = left(frame);
    if (isError(a)) return a;
    const b = right(frame);
    if (isError(b)) return b;
    charge(frame, getBinaryCost(op, a, b));
    return act(a, b);
  };
}

function getBinaryCost(op: string, a: CelValue, b: CelValue): number {
  if (op === "in") return Math.max(1, actualSize(b));
  if (op === "==" || op === "!=") return getTraversalCost(Math.min(actualSize(a), actualSize(b)));
  if (typeof a !== "string" || typeof b !== "string") return 1;
  return op === "+" ? getTraversalCost(a.length + b.length) : getTraversalCost(Math.min(a.length, b.length));
}

function buildComparison(test: (order: number) => boolean): BinaryOperation {
  return (a, b) => {
    const result = compareValues(a, b);
    return typeof result === "number" ? test(result) : result;
  };
}

function buildArithmetic(op: ArithmeticOperator): BinaryOperation {
  return (a, b) => calculate(op, a, b);
}

const BINARY_OPERATIONS: ReadonlyMap<string, BinaryOperation> = new Map<string, BinaryOperation>([
  ["==", equal],
  [
    "!=",
    (a, b) => {
      const same = equal(a, b);
      return typeof same === "boolean" ? !same : same;
    },
  ],
  ["<", buildComparison((result) => result < 0)],
  ["<=", buildComparison((result) => result <= 0)],
  [">", buildComparison((result) => result > 0)],
  [">=", buildComparison((result) => result >= 0)],
  ["in", isIn],
  ["+", buildArithmetic("+")],
  ["-", buildArithmetic("-")],
  ["*", buildArithmetic("*")],
  ["/", buildArithmetic("/")],
  ["%", buildArithmetic("%")],
]);
