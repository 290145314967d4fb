import { actualSize } from "../values/size.ts";
import { isIn } from "../runtime/selection.ts";
import { getListValues } from "../values/unstructured.ts";
import { type CelValue, type ListValue, isError } from "../values/value.ts";
import { onSameKind } from "./function-binding.ts";
import { type FunctionRow, buildApiServerLibrary } from "../runtime/function-table.ts";

function listContains(list: ListValue, item: CelValue): CelValue {
  return isError(item) && list.json !== undefined ? item : isIn(item, list);
}

/** Whether the list has all items, or the error of the first that can't be compared. */
function containsAll(list: ListValue, items: ListValue): CelValue {
  for (const item of getListValues(items)) {
    const isContained = listContains(list, item);
    if (isContained !== true) return isContained;
  }
  return true;
}

function containsBoth(a: ListValue, b: ListValue): CelValue {
  const isContained = containsAll(a, b);
  return isContained === true ? containsAll(b, a) : isContained;
}

function defineTest(test: (a: ListValue, b: ListValue) => CelValue): FunctionRow {
  const costBefore: FunctionRow["costBefore"] = ([a = null, b = null]) => 1 + actualSize(a) * actualSize(b);
  return {
    types: "(list(T), list(T)) bool",
    call: onSameKind("list", test),
    costBefore,
  };
}

export const SETS = buildApiServerLibrary("sets", {
  "sets.contains": defineTest(containsAll),
  "sets.intersects": defineTest((a, b) => getListValues(b).some((item) => listContains(a, item) === true)),
  "sets.equivalent": defineTest(containsBoth),
});
