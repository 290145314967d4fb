import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { formatError } from "../../../model/errors.ts";
import { CompileError } from "./activation.ts";

/** Only the library's parser is used. The meaning of expressions is implemented here, as in the API server. */
const GRAMMAR = new Environment({
  enableOptionalTypes: true,
  limits: { maxListElements: 10_000, maxMapEntries: 10_000 },
});

/** The API server's bound, in code points. */
const MAX_EXPRESSION_LENGTH = 100_000;

export function parseExpression(expression: string): ASTNode {
  if (expression.length > MAX_EXPRESSION_LENGTH) throw new CompileError("the rule is too long");
  try {
    return GRAMMAR.parse(expression).ast;
  } catch (error) {
    throw new CompileError(`the rule could not be parsed: ${formatError(error).split("\n")[0] ?? ""}`);
  }
}

/** The names of "a.b.c"; undefined for any other expression. */
export function findQualifiedName(node: ASTNode): readonly string[] | undefined {
  if (node.op === "id") return [node.args];
  if (node.op !== ".") return undefined;
  const left = findQualifiedName(node.args[0]);
  return left && [...left, node.args[1]];
}

export function getVariableName(node: ASTNode | undefined): string {
  if (node?.op === "id") return node.args;
  throw new CompileError("a macro's variable is not a plain name");
}
