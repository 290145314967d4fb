import { actualSize } from "../values/size.ts";
import { buildOrElse } from "../runtime/operators.ts";
import { findListItem, getListSize, getListValues } from "../values/unstructured.ts";
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
  isKind,
} from "../values/value.ts";
import { FIRST_SECOND } from "../values/timestamp.ts";
import { onKind } from "./function-binding.ts";
import { type FunctionImplementation, buildApiServerLibrary } from "../runtime/function-table.ts";

function isZeroValue(value: CelValue): boolean {
  return isObjectValue(value) ? isEmptyValue(value) : !value && !Number.isNaN(value);
}

/** Lists and maps of an object are never zero, even if they are empty. */
function isEmptyValue(value: ObjectValue): boolean {
  if (value.kind === "list") return value.items === undefined && actualSize(value) === 0;
  if (value.kind === "map" || value.kind === "bytes") return actualSize(value) === 0;
  if (value.kind === "uint") return value.value === 0n;
  if (value.kind === "duration") return value.nanos === 0n;
  return value.kind === "timestamp" && value.seconds === FIRST_SECOND && value.nanos === 0;
}

function unwrapOptionals(list: ListValue): CelValue {
  const values = getListValues(list);
  const optionals = values.filter((value) => isKind(value, "optional"));
  if (optionals.length < values.length) return buildError("value is not optional");
  return buildList(optionals.flatMap(({ value }) => (value === undefined ? [] : [value])));
}

function selectEnd(at: number): FunctionImplementation {
  return onKind("list", (list) => {
    const value = findListItem(list, at < 0 ? getListSize(list) - 1 : at);
    return value === undefined ? OPTIONAL_NONE : isError(value) ? value : buildOptional(value);
  });
}

const NO_VALUE = buildError("optional.none() dereference");

export const OPTIONALS = buildApiServerLibrary("optionals", {
  "optional.none": { types: "() optional_type(V)", call: () => OPTIONAL_NONE },
  "optional.of": { types: "(V) optional_type(V)", call: ([value = null]) => buildOptional(value) },
  "optional.ofNonZeroValue": {
    types: "(V) optional_type(V)",
    call: ([value = null]) => (isZeroValue(value) ? OPTIONAL_NONE : buildOptional(value)),
  },
  "optional.unwrap": {
    types: "(list(optional_type(V))) list(V) since optionalLists",
    call: onKind("list", unwrapOptionals),
  },
  unwrapOpt: { types: "list(optional_type(V)).() list(V) since optionalLists", call: onKind("list", unwrapOptionals) },
  hasValue: { types: "optional_type(V).() bool", call: onKind("optional", ({ value }) => value !== undefined) },
  value: {
    types: "optional_type(V).() V",
    call: onKind("optional", ({ value }) => (value === undefined ? NO_VALUE : value)),
  },
  or: { types: "optional_type(V).(optional_type(V)) optional_type(V)", compile: buildOrElse(true) },
  orValue: { types: "optional_type(V).(V) V", compile: buildOrElse(false) },
  first: { types: "list(V).() optional_type(V) since optionalLists", call: selectEnd(0) },
  last: { types: "list(V).() optional_type(V) since optionalLists", call: selectEnd(-1) },
});
