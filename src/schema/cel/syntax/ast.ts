import type { CelValue } from "../values/value.ts";

/** Where a part of an expression stands in its text, in UTF-16 units; `end` is behind it. */
export type Span = { readonly start: number; readonly end: number };

/** A call of a macro as it is written. A method's first operand is what it is called on. */
export type MacroCall = Span & { readonly operands: readonly [Expr, ...Expr[]] };

type Node<Op extends string, Parts> = Span & { readonly op: Op } & Readonly<Parts>;

type LiteralExpr = Node<"literal", { value: CelValue }>;
type IdentExpr = Node<"ident", { name: string }>;
/** `isTest`: from has(), which tests whether the field is set. */
export type SelectExpr = Node<"select", { operand: Expr; field: string; isTest: boolean }>;
export type CallExpr = Node<"call", { name: string; target: Expr | undefined; args: readonly Expr[] }>;
export type ListExpr = Node<"list", { items: readonly Expr[]; optional: ReadonlySet<number> }>;
export type MapEntry = { readonly key: Expr; readonly value: Expr; readonly isOptional: boolean };
export type MapExpr = Node<"map", { entries: readonly MapEntry[] }>;
export type StructField = { readonly name: string; readonly value: Expr; readonly isOptional: boolean };
/** A message that is constructed. */
export type StructExpr = Node<"struct", { name: string; fields: readonly StructField[] }>;
/** A fold of `range` into `accumulator`, to which macros are expanded. */
export type FoldExpr = Node<
  "fold",
  {
    range: Expr;
    variable: string;
    second: string | undefined;
    accumulator: string;
    init: Expr;
    condition: Expr;
    step: Expr;
    result: Expr;
  }
>;

/** An expression with its macros expanded, as from cel-go's parser. Nodes are distinct objects, because types and costs are keyed by node. */
export type Expr = LiteralExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | FoldExpr;

export function buildLiteral({ start, end }: Span, value: CelValue): LiteralExpr {
  return { op: "literal", value, start, end };
}

export function buildIdent({ start, end }: Span, name: string): IdentExpr {
  return { op: "ident", name, start, end };
}

export function buildCall({ start, end }: Span, name: string, ...args: readonly Expr[]): CallExpr {
  return { op: "call", name, target: undefined, args, start, end };
}

export function buildMethodCall({ start, end }: Span, name: string, target: Expr, ...args: readonly Expr[]): CallExpr {
  return { op: "call", name, target, args, start, end };
}

const NONE: ReadonlySet<number> = new Set();

export function buildList({ start, end }: Span, items: readonly Expr[] = [], optional = NONE): ListExpr {
  return { op: "list", items, optional, start, end };
}

/** The nodes below a node, in the order in which cel-go visits them. */
export function getChildren(expr: Expr): readonly Expr[] {
  switch (expr.op) {
    case "literal":
    case "ident":
      return [];
    case "struct":
      return expr.fields.map(({ value }) => value);
    case "select":
      return [expr.operand];
    case "call":
      return expr.target ? [expr.target, ...expr.args] : expr.args;
    case "list":
      return expr.items;
    case "map":
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case "fold":
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}

/** Every node, the expression itself first. */
export function* nodesOf(expr: Expr): Generator<Expr> {
  const waiting = [expr];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    waiting.push(...getChildren(node).toReversed());
  }
}

/** "a.b.c" if the expression is only that; a leading dot is part of the name. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.op === "ident") return expr.name;
  if (expr.op !== "select" || expr.isTest) return undefined;
  const left = qualifiedName(expr.operand);
  return left === undefined ? undefined : `${left}.${expr.field}`;
}

/**
 * An expression that can't be compiled: the message says why, and `start` and `end` where in its text. The API server doesn't compile it
 * either, unless `isUndecided`: then preflight can't tell.
 */
export class CompileError extends Error {
  override readonly name = "CompileError";
  readonly start: number;
  readonly end: number;
  readonly isUndecided: boolean;

  constructor(message: string, { start, end }: Span, isUndecided = false) {
    super(message);
    this.start = start;
    this.end = end;
    this.isUndecided = isUndecided;
  }
}
