/** A constant of an expression. */
export type Literal =
  | { readonly kind: "null" }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "int"; readonly value: bigint }
  | { readonly kind: "uint"; readonly value: bigint }
  | { readonly kind: "double"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "bytes"; readonly value: Uint8Array };

export type LiteralExpr = { readonly op: "literal"; readonly literal: Literal };
export type IdentExpr = { readonly op: "ident"; readonly name: string };
/** `isTest`: from has(), which tests whether the field is set. */
export type SelectExpr = {
  readonly op: "select";
  readonly operand: Expr;
  readonly field: string;
  readonly isTest: boolean;
};
export type CallExpr = {
  readonly op: "call";
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
};
export type ListExpr = { readonly op: "list"; readonly items: readonly Expr[]; readonly optional: ReadonlySet<number> };
export type MapEntry = { readonly key: Expr; readonly value: Expr; readonly isOptional: boolean };
export type MapExpr = { readonly op: "map"; readonly entries: readonly MapEntry[] };
export type StructField = { readonly name: string; readonly value: Expr; readonly isOptional: boolean };
export type StructExpr = { readonly op: "struct"; readonly name: string; readonly fields: readonly StructField[] };
/** An expanded macro: a fold of `range` into `accumulator`. */
export type FoldExpr = {
  readonly op: "fold";
  readonly range: Expr;
  readonly variable: string;
  readonly second: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
};

/** An expression with its macros expanded, as from cel-go's parser. Nodes are distinct objects, because types and costs are keyed by node. */
export type Expr = LiteralExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | FoldExpr;

export function buildLiteral(literal: Literal): LiteralExpr {
  return { op: "literal", literal };
}

export function buildBool(value: boolean): LiteralExpr {
  return buildLiteral({ kind: "bool", value });
}

export function buildInt(value: bigint): LiteralExpr {
  return buildLiteral({ kind: "int", value });
}

export function buildIdent(name: string): IdentExpr {
  return { op: "ident", name };
}

export function buildCall(name: string, ...args: readonly Expr[]): CallExpr {
  return { op: "call", name, target: undefined, args };
}

export function buildMethodCall(name: string, target: Expr, ...args: readonly Expr[]): CallExpr {
  return { op: "call", name, target, args };
}

export function buildList(...items: readonly Expr[]): ListExpr {
  return { op: "list", items, optional: new Set() };
}

/** The nodes below a node, in the order in which cel-go visits them. */
export function getChildren(expr: Expr): readonly Expr[] {
  switch (expr.op) {
    case "literal":
    case "ident":
      return [];
    case "select":
      return [expr.operand];
    case "call":
      return expr.target ? [expr.target, ...expr.args] : expr.args;
    case "list":
      return expr.items;
    case "map":
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case "struct":
      return expr.fields.map(({ value }) => value);
    case "fold":
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}

/** Every node, the expression itself first. */
export function* nodesOf(expr: Expr): Generator<Expr> {
  yield expr;
  for (const child of getChildren(expr)) yield* nodesOf(child);
}

/** A copy whose nodes are objects of their own. */
export function copyNode(expr: Expr): Expr {
  switch (expr.op) {
    case "literal":
    case "ident":
      return { ...expr };
    case "select":
      return { ...expr, operand: copyNode(expr.operand) };
    case "call":
      return { ...expr, target: expr.target && copyNode(expr.target), args: expr.args.map(copyNode) };
    case "list":
      return { ...expr, items: expr.items.map(copyNode) };
    case "map":
      return {
        ...expr,
        entries: expr.entries.map((entry) => ({ ...entry, key: copyNode(entry.key), value: copyNode(entry.value) })),
      };
    case "struct":
      return { ...expr, fields: expr.fields.map((field) => ({ ...field, value: copyNode(field.value) })) };
    case "fold":
      return {
        ...expr,
        range: copyNode(expr.range),
        init: copyNode(expr.init),
        condition: copyNode(expr.condition),
        step: copyNode(expr.step),
        result: copyNode(expr.result),
      };
  }
}

/** "a.b.c" if the expression is only that; a leading dot is part of the name. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.op === "ident") return expr.name;
  if (expr.op !== "select" || expr.isTest) return undefined;
  const left = qualifiedName(expr.operand);
  return left === undefined ? undefined : `${left}.${expr.field}`;
}
