import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { errorText } from "../../model/errors.ts";
import { NotCompiled } from "./frame.ts";

/** Only the grammar of the library is used: what an expression means is said here, as the API server says it. */
const GRAMMAR = new Environment({
  enableOptionalTypes: true,
  limits: { maxListElements: 10_000, maxMapEntries: 10_000 },
});

/** The API server's bound, in code points. */
const LONGEST = 100_000;

export function parse(expression: string): ASTNode {
  if (expression.length > LONGEST) throw new NotCompiled("the rule is too long");
  try {
    return GRAMMAR.parse(expression).ast;
  } catch (error) {
    throw new NotCompiled(`the rule can't be parsed: ${errorText(error).split("\n")[0] ?? ""}`);
  }
}

/** The names of "a.b.c"; undefined where it is anything else. */
export function dotted(node: ASTNode): readonly string[] | undefined {
  if (node.op === "id") return [node.args];
  if (node.op !== ".") return undefined;
  const left = dotted(node.args[0]);
  return left && [...left, node.args[1]];
}

export function nameOf(node: ASTNode | undefined): string {
  if (node?.op === "id") return node.args;
  throw new NotCompiled("a macro's variable is no plain name");
}
