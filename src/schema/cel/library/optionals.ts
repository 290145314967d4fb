import { actualSize } from "../runtime/activation.ts";
import { findListItem, getListSize, getListValues } from "../runtime/values/unstructured.ts";
import {
  type CelValue,
  type ListValue,
  type ObjectValue,
  OPTIONAL_NONE,
  buildError,
  buildList,
  buildOptional,
  isError,
  isObjectValue,
} from "../runtime/values/value.ts";
import { onKind, onList } from "./function-binding.ts";
import type { FunctionImplementation, Library } from "./function-table.ts";

function isZeroValue(value: CelValue): boolean {
  return (
    value === null ||
    value === false ||
    value === 0n ||
    value === 0 ||
    value === "" ||
    (typeof value === "object" && value.kind !== "failure" && isEmptyValue(value))
  );
}

function isEmptyValue(value: ObjectValue): boolean {
  if (value.kind === "list" || value.kind === "json" || value.kind === "map" || value.kind === "bytes") {
    return actualSize(value) === 0;
  }
  if (value.kind === "uint") return value.value === 0n;
  if (value.kind === "duration") return value.nanos === 0n;
  return value.kind === "optional" && value.value === undefined;
}

function unwrapOptionals(list: ListValue): CelValue {
  const values = getListValues(list);
  if (values.some((value) => !isObjectValue(value) || value.kind !== "optional"))
    return buildError("value is not optional");
  return buildList(
    values.flatMap((value) =>
      isObjectValue(value) && value.kind === "optional" && value.value !== undefined ? [value.value] : [],
    ),
  );
}

function selectEnd(at: number): FunctionImplementation {
  return onList((list) => {
    const value = findListItem(list, at < 0 ? getListSize(list) - 1 : at);
    return value === undefined ? OPTIONAL_NONE : isError(value) ? value : buildOptional(value);
  });
}

export const OPTIONALS: Library = {
  owner: "api-server",
  since: 28,
  functions: [
    { name: "optional.none", signatures: "() optional_type(V)", call: () => OPTIONAL_NONE },
    { name: "optional.of", signatures: "(V) optional_type(V)", call: ([value = null]) => buildOptional(value) },
    {
      name: "optional.ofNonZeroValue",
      signatures: "(V) optional_type(V)",
      call: ([value = null]) => (isZeroValue(value) ? OPTIONAL_NONE : buildOptional(value)),
    },
    { name: "optional.unwrap", signatures: "(list(optional_type(V))) list(V) since 33", call: onList(unwrapOptionals) },
    { name: "unwrapOpt", signatures: "list(optional_type(V)).() list(V) since 33", call: onList(unwrapOptionals) },
    {
      name: "hasValue",
      signatures: "optional_type(V).() bool",
      call: onKind("optional", ({ value }) => value !== undefined),
    },
    {
      name: "value",
      signatures: "optional_type(V).() V",
      call: onKind(
        "optional",
        ({ value }) => value ?? (value === null ? null : buildError("optional.none() dereference")),
      ),
    },
    { name: "or", signatures: "optional_type(V).(optional_type(V)) optional_type(V)" },
    { name: "orValue", signatures: "optional_type(V).(V) V" },
    { name: "first", signatures: "list(V).() optional_type(V) since 33", call: selectEnd(0) },
    { name: "last", signatures: "list(V).() optional_type(V) since 33", call: selectEnd(-1) },
  ],
};
