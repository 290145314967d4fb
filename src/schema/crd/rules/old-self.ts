import { API_SERVER_MACROS } from "../../cel/syntax/macro-table.ts";
import { nodesOf } from "../../cel/syntax/ast.ts";
import { CompileError } from "../../cel/syntax/compile-error.ts";
import { parseExpression } from "../../cel/syntax/parser.ts";

/** Does a rule use the value before a write? One that can't be parsed does not. */
export function usesOldSelf(rule: string): boolean {
  if (!rule.includes("oldSelf")) return false;
  try {
    const nodes = [...nodesOf(parseExpression(rule, API_SERVER_MACROS))];
    return nodes.some((node) => node.op === "ident" && /^\.?oldSelf$/.test(node.name));
  } catch (error) {
    if (error instanceof CompileError) return false;
    throw error;
  }
}
