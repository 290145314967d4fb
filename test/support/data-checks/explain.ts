import { strict as assert } from "node:assert";
import { test } from "node:test";
import { compileCheck } from "../../../src/data-checks/compile/compile.ts";
import type { CheckDefinition } from "../../../src/data-checks/format/definition.ts";

/** An expression, and what is said of it: "[marked] message (hint)", and before it "warning: " if it works. */
export type ExplainedExpression = readonly [expression: string, ...said: readonly string[]];

/** The expression is a variable's, between `size`, an int, and `later`; it can use the object `node` and the list `nodes`. */
export function explainExpression(expression: string): readonly string[] {
  const definition: CheckDefinition = {
    metadata: { name: "sample" },
    spec: {
      title: "The sample is sound",
      applies: { updates: ["minor"] },
      reads: {
        node: { get: "v1/nodes", name: "a" },
        nodes: { list: "v1/nodes", index: { byZone: "object.metadata.name" } },
      },
      variables: [
        { name: "size", expression: "2" },
        { name: "sample", expression },
        { name: "later", expression: "1" },
      ],
    },
  };
  const { faults, warnings } = compileCheck(definition);
  const found = [...faults, ...(faults.length === 0 ? warnings : [])];
  return found
    .filter(({ place }) => place.join(".") === "spec.variables.1.expression")
    .map(({ severity, message, hint, span }) => {
      const marked = span === undefined ? "all" : `[${expression.slice(span.start, span.end)}]`;
      return `${severity === "warning" ? "warning: " : ""}${marked} ${message}${hint === undefined ? "" : ` (${hint})`}`;
    });
}

export function testExplanations(what: string, rows: readonly ExplainedExpression[]): void {
  test(`${what}: ${rows.length} expressions`, () => {
    assert.deepEqual(
      rows.map(([expression]) => [expression, ...explainExpression(expression)]),
      rows,
    );
  });
}
