import {
  addQuantities,
  toApproximateFloat,
  compareQuantities,
  negateQuantity,
  parseQuantity,
  toQuantity,
  toInteger,
} from "../runtime/values/quantity.ts";
import { NO_OVERLOAD, type CelValue, buildError } from "../runtime/values/value.ts";
import { defineParser, isKind, onKind, onSameKind } from "./function-binding.ts";
import type { FunctionRow, Library } from "./function-table.ts";

function defineComparison(name: string, result: string, tell: (order: number) => CelValue): FunctionRow {
  return {
    name,
    signatures: `k8s:Quantity.(k8s:Quantity) ${result}`,
    call: onSameKind("quantity", (a, b) => tell(compareQuantities(a, b))),
  };
}

function defineAddition(name: string, sign: 1 | -1): FunctionRow {
  const call: FunctionRow["call"] = ([of = null, other = null]) => {
    const more = typeof other === "bigint" ? toQuantity(other) : other;
    if (!isKind(of, "quantity") || !isKind(more, "quantity")) return NO_OVERLOAD;
    return addQuantities(of, sign === 1 ? more : negateQuantity(more));
  };
  return { name, signatures: "k8s:Quantity.(k8s:Quantity) k8s:Quantity | k8s:Quantity.(int) k8s:Quantity", call };
}

export const QUANTITIES: Library = {
  owner: "api-server",
  since: 28,
  functions: [
    defineParser(
      "quantity",
      "k8s:Quantity",
      (text) => parseQuantity(text) ?? buildError("unable to parse quantity's suffix"),
    ),
    defineParser("isQuantity", "bool", (text) => parseQuantity(text) !== undefined),
    {
      name: "sign",
      signatures: "(k8s:Quantity) int",
      call: onKind("quantity", ({ unscaled }) => (unscaled === 0n ? 0n : unscaled > 0n ? 1n : -1n)),
    },
    defineComparison("isGreaterThan", "bool", (order) => order > 0),
    defineComparison("isLessThan", "bool", (order) => order < 0),
    defineComparison("compareTo", "int", (order) => BigInt(order)),
    {
      name: "asApproximateFloat",
      signatures: "k8s:Quantity.() double",
      call: onKind("quantity", toApproximateFloat),
    },
    {
      name: "asInteger",
      signatures: "k8s:Quantity.() int",
      call: onKind("quantity", (value) => toInteger(value) ?? buildError("cannot convert value to integer")),
    },
    {
      name: "isInteger",
      signatures: "k8s:Quantity.() bool",
      call: onKind("quantity", (value) => toInteger(value) !== undefined),
    },
    defineAddition("add", 1),
    defineAddition("sub", -1),
  ],
};
