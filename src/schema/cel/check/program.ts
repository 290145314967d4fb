import { UnsupportedError, PanicError, type CelValue, isError, buildList } from "../runtime/values/value.ts";
import { formatError } from "../../../model/errors.ts";
import { type CallExpr, type Expr, getChildren, nodesOf } from "../syntax/ast.ts";
import type { Checked } from "./type-check.ts";
import { CompileError } from "../syntax/compile-error.ts";
import { patternFault } from "../../go-pattern.ts";
import { requireFormat } from "./format-calls.ts";
import { isUnusable } from "./scope.ts";
import { DYN, type Type, isSameType, typeText, unwrapped } from "./types.ts";

/** Refuses expressions that pass type-checking but can't be turned into a program: invalid constants and patterns, mixed lists, types without values. */
export function requireProgram(checked: Checked): void {
  const nodes = [...nodesOf(checked.expr)].filter((node) => checked.types.has(node));
  const formatted = new Set(nodes.filter(isFormat).flatMap((node) => [...nodesOf(node)]));
  for (const node of nodes) {
    if (node.op === "call") {
      requireLiteral(node, checked);
      requireFormat(node, checked);
    }
    if (formatted.has(node)) continue;
    if (node.op === "list") requireSame(node.items, node.optional, checked);
    if (node.op === "map") requireSameEntries(node.entries, checked);
  }
  foldConstant(checked.expr, checked);
}

/** Lists and maps in what is formatted may be mixed. */
function isFormat(node: Expr): boolean {
  return node.op === "call" && node.name === "format";
}

/** Only literal arguments are checked here. */
function requireLiteral(call: CallExpr, checked: Checked): void {
  const { name, args } = call;
  const [first] = args;
  if (first?.op !== "literal") return;
  if (name === "matches") requirePattern(first, first.value);
  if (name === "duration" || name === "timestamp") convert(call, first, first.value, checked);
}

function requirePattern(expr: Expr, pattern: CelValue | undefined): void {
  const fault = typeof pattern === "string" ? patternFault(pattern) : undefined;
  if (fault !== undefined)
    throw new CompileError(`${JSON.stringify(pattern)} is not a valid regular expression: ${fault}`, expr);
}

function requireSame(items: readonly Expr[], optional: ReadonlySet<number>, checked: Checked): void {
  let first: Type | undefined;
  for (const [i, item] of items.entries()) {
    const type = typeIn(item, optional.has(i), checked);
    first ??= type;
    requireType(item, first, type);
  }
}

function requireSameEntries(entries: Extract<Expr, { op: "map" }>["entries"], checked: Checked): void {
  let first: readonly [Type, Type] | undefined;
  for (const { key, value, isOptional } of entries) {
    const types = [typeIn(key, false, checked), typeIn(value, isOptional, checked)] as const;
    first ??= types;
    requireType(key, first[0], types[0]);
    requireType(value, first[1], types[1]);
  }
}

function typeIn(expr: Expr, isOptional: boolean, checked: Checked): Type {
  const type = checked.types.get(expr) ?? DYN;
  return isOptional ? (unwrapped(type) ?? type) : type;
}

function requireType(expr: Expr, expected: Type, type: Type): void {
  if (isSameType(expected, type, false)) return;
  throw new CompileError(`a value of type ${typeText(type)} is mixed with values of type ${typeText(expected)}`, expr);
}

const CONVERSIONS = new Set("bool bytes double dyn duration int string timestamp type uint".split(" "));
const PATTERN_FUNCTIONS = new Set(["matches", "find", "findAll"]);

/** The value of a node that the API server folds at compile time; undefined if it depends on an object. */
function foldConstant(expr: Expr, checked: Checked): CelValue | undefined {
  if (!checked.types.has(expr)) return undefined;
  const name = checked.names.get(expr);
  if (name !== undefined) return namedConstant(expr, name, checked.types.get(expr) ?? DYN);
  if (expr.op === "literal") return expr.value;
  const below = getChildren(expr).map((child) => foldConstant(child, checked));
  if (expr.op === "list") return expr.optional.size === 0 ? constantList(below) : undefined;
  if (expr.op !== "call") return undefined;
  if (PATTERN_FUNCTIONS.has(expr.name)) requirePattern(expr, below[1]);
  const [only] = below;
  if (CONVERSIONS.has(expr.name) && below.length === 1 && only !== undefined) return convert(expr, expr, only, checked);
  return undefined;
}

function namedConstant(expr: Expr, name: string, type: Type): CelValue | undefined {
  if (type.kind !== "type") return undefined;
  if (isUnusable(name)) throw new CompileError(`${name} names no type that a value can have`, expr);
  return { kind: "type", name };
}

function constantList(values: readonly (CelValue | undefined)[]): CelValue | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? buildList(known) : undefined;
}

function convert(call: CallExpr, at: Expr, value: CelValue, checked: Checked): CelValue {
  const result = evaluateConversion(call, at, value, checked);
  if (isError(result)) throw new CompileError(`${call.name}() can't convert a constant: ${result.text}`, at);
  return result;
}

function evaluateConversion(call: CallExpr, at: Expr, value: CelValue, checked: Checked): CelValue {
  const undecided = `it converts a constant with ${call.name}()`;
  const conversion = checked.overloads.get(call)?.[0]?.row.call;
  if (conversion === undefined) throw new CompileError(undecided, at, true);
  try {
    return conversion([value]);
  } catch (error) {
    if (error instanceof UnsupportedError || error instanceof PanicError) {
      throw new CompileError(`${undecided}: ${formatError(error)}`, at, true);
    }
    throw error;
  }
}
