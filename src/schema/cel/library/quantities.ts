import {
  addQuantities,
  toApproximateFloat,
  compareQuantities,
  subtractQuantities,
  parseQuantity,
  toQuantity,
  toInteger,
} from "../values/quantity.ts";
import { NO_OVERLOAD, type QuantityValue, buildError, isKind } from "../values/value.ts";
import { READS_ONCE, defineComparisons, onKind, onText } from "./function-binding.ts";
import { type FunctionRow, buildApiServerLibrary } from "../runtime/function-table.ts";

function defineAddition(sign: 1 | -1): FunctionRow {
  const call: FunctionRow["call"] = ([of = null, other = null]) => {
    const more = typeof other === "bigint" ? toQuantity(other) : other;
    if (!isKind(of, "quantity") || !isKind(more, "quantity")) return NO_OVERLOAD;
    return sign === 1 ? addQuantities(of, more) : subtractQuantities(of, more);
  };
  return {
    types:
      "kubernetes.Quantity.(kubernetes.Quantity) kubernetes.Quantity | kubernetes.Quantity.(int) kubernetes.Quantity",
    call,
  };
}

function getSign({ unscaled }: QuantityValue): bigint {
  return unscaled === 0n ? 0n : unscaled > 0n ? 1n : -1n;
}

const parse = onText((text) => parseQuantity(text) ?? buildError("unable to parse quantity's suffix"));
const asInteger = onKind("quantity", (value) => toInteger(value) ?? buildError("cannot convert value to integer"));
const isInteger = onKind("quantity", (value) => toInteger(value) !== undefined);

export const QUANTITIES = buildApiServerLibrary("quantities", {
  quantity: { types: "(string) kubernetes.Quantity", ...READS_ONCE, call: parse },
  isQuantity: { types: "(string) bool", ...READS_ONCE, call: onText((text) => parseQuantity(text) !== undefined) },
  sign: { types: "(kubernetes.Quantity) int", call: onKind("quantity", getSign) },
  ...defineComparisons("kubernetes.Quantity", "quantity", compareQuantities),
  asApproximateFloat: { types: "kubernetes.Quantity.() double", call: onKind("quantity", toApproximateFloat) },
  asInteger: { types: "kubernetes.Quantity.() int", call: asInteger },
  isInteger: { types: "kubernetes.Quantity.() bool", call: isInteger },
  add: defineAddition(1),
  sub: defineAddition(-1),
});
