import { type Expr, nodesOf } from "../../schema/cel/index.ts";

/** The members of a variable that an expression names: `cluster.hosted`, or `cluster.?hosted`. */
export function listMembers(syntax: Expr, variable: string): readonly string[] {
  const isVariable = (expr: Expr | undefined): boolean => expr?.op === "ident" && expr.name === variable;
  return [...nodesOf(syntax)].flatMap((node) => {
    if (node.op === "select") return isVariable(node.operand) ? [node.field] : [];
    if (node.op !== "call" || node.name !== "_?._" || !isVariable(node.args[0])) return [];
    const [, field] = node.args;
    return field?.op === "literal" && typeof field.value === "string" ? [field.value] : [];
  });
}

/** The reads of `served.READ` and `READ.served`. */
export function listServed(syntax: Expr): readonly string[] {
  const ofLists = [...nodesOf(syntax)].flatMap((node) =>
    node.op === "select" && node.field === "served" && node.operand.op === "ident" ? [node.operand.name] : [],
  );
  return [...listMembers(syntax, "served"), ...ofLists];
}

/** The names of an expression, and of `served.NAME`. */
export function listNames(syntax: Expr): readonly string[] {
  const idents = [...nodesOf(syntax)].flatMap((node) => (node.op === "ident" ? [node.name.replace(/^\./, "")] : []));
  return [...idents, ...listMembers(syntax, "served"), ...listMembers(syntax, "readable")];
}
