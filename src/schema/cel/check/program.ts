import { LARGE_PATTERN, formatPatternFault, isLargePattern } from "../values/text.ts";
import { type Type, isTypeName, DYN, isSameType, typeText, unwrapped } from "../types/types.ts";
import { type CallExpr, type Expr, nodesOf, CompileError } from "../syntax/ast.ts";
import type { Checked } from "./type-check.ts";
import { patternFault } from "../../openapi/index.ts";
import { requireFormat } from "./calls.ts";

/** Refuses expressions that pass type-checking, but not the checks that follow: of patterns, formatted texts and, unless `mayMix`, mixed lists. */
export function requireProgram(checked: Checked, mayMix = false): void {
  const nodes = [...nodesOf(checked.expr)].filter((node) => checked.types.has(node));
  const formatted = new Set(nodes.filter(isFormat).flatMap((node) => [...nodesOf(node)]));
  for (const node of nodes) {
    requireOwnType(node, checked);
    if (node.op === "call") {
      requirePattern(node);
      requireFormat(node, checked);
    }
    if (mayMix || formatted.has(node)) continue;
    if (node.op === "list") requireSame(node.items, node.optional, checked);
    if (node.op === "map") requireSameEntries(node.entries, checked);
  }
}

/** The API server takes every name of a type for that of a type, even where a macro's variable holds one. */
function requireOwnType(node: Expr, { names, types }: Checked): void {
  const name = names.get(node);
  if (name !== undefined && types.get(node)?.kind === "type" && !isTypeName(name))
    throw new CompileError(`${name} names no type that a value can have`, node);
}

/** Lists and maps in what is formatted may be mixed. */
function isFormat(node: Expr): boolean {
  return node.op === "call" && node.name === "format";
}

/** The API server takes the first argument of matches() for the pattern, even where it is the text. */
function requirePattern({ name, args: [first] }: CallExpr): void {
  if (name !== "matches" || first?.op !== "literal" || typeof first.value !== "string") return;
  if (isLargePattern(first.value)) throw new CompileError(LARGE_PATTERN, first, true);
  if (patternFault(first.value) !== undefined) throw new CompileError(formatPatternFault(first.value), first);
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
  const inner = isOptional ? unwrapped(type) : type;
  if (inner === undefined) throw new CompileError("an optional element must be known as optional", expr);
  return inner;
}

function requireType(expr: Expr, expected: Type, type: Type): void {
  if (isSameType(expected, type, false)) return;
  throw new CompileError(`a value of type ${typeText(type)} is mixed with values of type ${typeText(expected)}`, expr);
}
