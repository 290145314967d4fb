/** A constant of an expression. */
export type Literal =
  | { readonly kind: "null" }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "int"; readonly value: bigint }
  | { readonly kind: "uint"; readonly value: bigint }
  | { readonly kind: "double"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "bytes"; readonly value: Uint8Array };

/** Where a part of an expression stands in its text, in UTF-16 units; `end` is behind it. */
export type Span = { readonly start: number; readonly end: number };

/** A call of a macro as it is written. */
export type MacroCall = Span & {
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
};

/** `macro`: the call that this node is the expansion of. */
type Node<Op extends string, Parts> = Span & { readonly op: Op; readonly macro?: MacroCall } & Readonly<Parts>;

export type LiteralExpr = Node<"literal", { literal: Literal }>;
export type IdentExpr = Node<"ident", { name: string }>;
/** `isTest`: from has(), which tests whether the field is set. */
export type SelectExpr = Node<"select", { operand: Expr; field: string; isTest: boolean }>;
export type CallExpr = Node<"call", { name: string; target: Expr | undefined; args: readonly Expr[] }>;
export type ListExpr = Node<"list", { items: readonly Expr[]; optional: ReadonlySet<number> }>;
export type MapEntry = { readonly key: Expr; readonly value: Expr; readonly isOptional: boolean };
export type MapExpr = Node<"map", { entries: readonly MapEntry[] }>;
export type StructField = { readonly name: string; readonly value: Expr; readonly isOptional: boolean };
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

export function buildLiteral({ start, end }: Span, literal: Literal): LiteralExpr {
  return { op: "literal", literal, start, end };
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

export function buildList({ start, end }: Span, ...items: readonly Expr[]): ListExpr {
  return { op: "list", items, optional: new Set(), start, end };
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
