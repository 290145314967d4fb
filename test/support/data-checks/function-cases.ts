import { strict as assert } from "node:assert";
import { test } from "node:test";
import type { Json } from "../../../src/model/json.ts";
import { UPDATE_VARIABLES } from "../../../src/data-checks/functions/versions.ts";
import { CHECK_FUNCTIONS, CHECK_MACROS } from "../../../src/data-checks/functions/table.ts";
import {
  DYN,
  type Evaluation,
  compileObjectExpression,
  evaluateExpression,
  jsonToValue,
} from "../../../src/schema/cel/index.ts";
import { formatValue } from "../../../src/data-checks/functions/values.ts";

/** An expression, and its value as CEL writes it, or "error: " or "fault: " and the reason. */
export type FunctionCase = readonly [expression: string, expected: string];

/** `object` is a value of the test; the update leads from 4.18 (ordinal 18) to 4.20. */
export function testFunction(name: string, cases: readonly FunctionCase[], object: Json = {}): void {
  test(`${name}: ${cases.length} cases`, () => {
    assert.deepEqual(
      cases.map(([expression]) => [expression, evaluate(expression, object)]),
      cases,
    );
  });
}

function evaluate(expression: string, object: Json): string {
  const compiled = compileObjectExpression(expression, {
    variables: [...UPDATE_VARIABLES, ["object", DYN]],
    functions: CHECK_FUNCTIONS,
    macros: CHECK_MACROS,
  });
  if (compiled.kind === "fault") return `fault: ${compiled.message}`;
  return formatEvaluation(evaluateExpression(compiled, [18n, 20n, jsonToValue(object)]));
}

function formatEvaluation(evaluation: Evaluation): string {
  return evaluation.kind === "value" ? formatValue(evaluation.value) : `${evaluation.kind}: ${evaluation.text}`;
}
