import { strict as assert } from "node:assert";
import { test } from "node:test";
import { checkExpression } from "../../../src/schema/cel/check/checker.ts";
import { API_SERVER_MACROS } from "../../../src/schema/cel/syntax/macros.ts";
import { requireProgram } from "../../../src/schema/cel/check/program.ts";
import { INT } from "../../../src/schema/cel/types/types.ts";
import { API_SERVER_FUNCTIONS } from "../../../src/schema/cel/library/api-server.ts";
import { type Expr, getChildren, CompileError } from "../../../src/schema/cel/syntax/ast.ts";
import { parseExpression } from "../../../src/schema/cel/syntax/parser.ts";
import { TRUE } from "../../../verify/schema/cel/table.ts";

function parse(text: string): Expr {
  return parseExpression(text, API_SERVER_MACROS);
}

/** The nodes that are written, without those below a macro's that it makes: they have its place. */
function* writtenNodes(expr: Expr, outer?: Expr): Generator<Expr> {
  if (expr.start !== outer?.start || expr.end !== outer.end) yield expr;
  for (const child of getChildren(expr)) yield* writtenNodes(child, expr);
}

function describe(expr: Expr): string {
  return expr.op === "call" || expr.op === "ident" ? expr.name : expr.op;
}

test("gives each node its place in the text", () => {
  let count = 0;
  for (const text of Object.values(TRUE).flat()) {
    for (const node of writtenNodes(parse(text))) {
      const part = text.slice(node.start, node.end);
      // The field of `a.?b` is a literal whose text has no quotes.
      if (node.op === "literal" && /^[a-z]\w*$/i.test(part)) continue;
      assert.equal(describe(parse(part)), describe(node), `${part} in ${text}`);
      count++;
    }
  }
  assert.ok(count > 2_000);
});

/** What an error marks, and whether it is undecided. */
const ERRORS: readonly (readonly [text: string, marked: string, isUndecided?: boolean])[] = [
  ["x + (1 * 'a') + 2", "(1 * 'a')"],
  ["x + unknown.name", "unknown"],
  ["[1, 2, 'c']", "'c'"],
  ["x.name == 1", "x.name"],
  ["[1].all(y, y + 1)", "[1].all(y, y + 1)"],
  ["[1].all(y.z, true)", "y.z"],
  ["has(x)", "x"],
  ["1 + # 2", "#"],
  ["x == 9223372036854775808", "9223372036854775808"],
  ["x == '\\uD800'", "'\\uD800'"],
  ["x +", ""],
  ["x + if", "if"],
  ["nope(x, x)", "nope(x, x)"],
  ["x == google.protobuf.Any{y: 1}", "1"],
];

for (const [text, marked, isUndecided = false] of ERRORS) {
  test(`marks ${JSON.stringify(marked)} in ${text}`, () => {
    assert.throws(
      () => requireProgram(checkExpression(parse(text), [["x", INT]], API_SERVER_FUNCTIONS)),
      (error) => {
        assert.ok(error instanceof CompileError);
        assert.deepEqual([text.slice(error.start, error.end), error.isUndecided], [marked, isUndecided]);
        return true;
      },
    );
  });
}
