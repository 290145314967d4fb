import { type Estimate, operandSize } from "../cost/call-estimate.ts";
import { ONE, add, multiply, scale } from "../cost/estimate.ts";
import { actualSize } from "../runtime/activation.ts";
import { equal } from "../runtime/values/equality.ts";
import { getListValues } from "../runtime/values/unstructured.ts";
import type { CelValue, ListValue } from "../runtime/values/value.ts";
import { onSameKind } from "./function-binding.ts";
import { type FunctionRow, buildApiServerLibrary } from "./function-table.ts";

function listContains(list: ListValue, item: CelValue): boolean {
  return getListValues(list).some((one) => equal(one, item) === true);
}

function containsAll(list: ListValue, items: ListValue): boolean {
  return getListValues(items).every((item) => listContains(list, item));
}

/** Each item of the one with each of the other, so many times. */
function estimatePairs(times: number): Estimate {
  return (call) => ({ cost: add(scale(multiply(operandSize(call, 0), operandSize(call, 1)), times), ONE) });
}

function defineTest(times: number, test: (a: ListValue, b: ListValue) => boolean): FunctionRow {
  const costBefore: FunctionRow["costBefore"] = ([a = null, b = null]) => 1 + actualSize(a) * actualSize(b);
  return {
    types: "(list(T), list(T)) bool",
    estimate: estimatePairs(times),
    call: onSameKind("list", test),
    costBefore,
  };
}

export const SETS = buildApiServerLibrary("sets", {
  "sets.contains": defineTest(1, containsAll),
  "sets.intersects": defineTest(1, (a, b) => getListValues(b).some((item) => listContains(a, item))),
  "sets.equivalent": defineTest(2, (a, b) => containsAll(a, b) && containsAll(b, a)),
});
