import type { FunctionImplementation, Interpretable } from "../runtime/environment.ts";
import { actualSize, buildApiServerLibrary, charge, getTraversalCost, onKind } from "../runtime/environment.ts";
import { type ArithmeticOperator, calculate, negate } from "../values/arithmetic.ts";
import { equal } from "../values/equality.ts";
import { compareValues } from "../values/numbers.ts";
import { type Meter, FREE_WORK, BYTES, countMemory, countWork } from "../values/meter.ts";
import type { CelValue, ListValue, ObjectValue } from "../values/value.ts";
import {
  NO_OVERLOAD,
  isError,
  isKind,
  joinLogical,
  OPTIONAL_NONE,
  buildError,
  buildList,
  buildOptional,
  isObjectValue,
} from "../values/value.ts";
import { isIn } from "../values/look-up.ts";
import { findListItem, getListSize, getListValues } from "../values/unstructured.ts";
import { FIRST_SECOND } from "../values/times.ts";

/** The parser gives each operator as many operands as it has. */
type Operator = (...operands: readonly Interpretable[]) => Interpretable;

const nothing: Interpretable = () => NO_OVERLOAD;

/** Either side may decide alone, even if the other fails. */
function buildLogical(decisive: boolean): Operator {
  return (left = nothing, right = nothing) =>
    (frame) => {
      countWork(frame, FREE_WORK);
      const first = left(frame);
      return first === decisive ? decisive : joinLogical(first, right(frame), decisive);
    };
}

/** Only false ends a macro: after a failure, an element that follows may still decide. */
function buildNotStrictlyFalse(operand = nothing): Interpretable {
  return (frame) => {
    const value = operand(frame);
    charge(frame, 1);
    return value !== false;
  };
}

function buildUnary(act: (value: CelValue) => CelValue): Operator {
  return (operand = nothing) =>
    (frame) => {
      const value = operand(frame);
      if (isError(value)) return value;
      charge(frame, 1);
      return act(value);
    };
}

type BinaryOperation = (a: CelValue, b: CelValue, meter: Meter) => CelValue;

function buildBinary(act: BinaryOperation, getCost: (a: CelValue, b: CelValue) => number): Operator {
  return (left = nothing, right = nothing) =>
    (frame) => {
      const a = left(frame);
      if (isError(a)) return a;
      const b = right(frame);
      if (isError(b)) return b;
      charge(frame, getCost(a, b));
      return act(a, b, frame);
    };
}

function getContainerCost(_: CelValue, container: CelValue): number {
  return Math.max(1, actualSize(container));
}

function getEqualityCost(a: CelValue, b: CelValue): number {
  return getTraversalCost(Math.min(actualSize(a), actualSize(b)));
}

function getOrderingCost(a: CelValue, b: CelValue): number {
  return typeof a === "string" && typeof b === "string" ? getTraversalCost(Math.min(a.length, b.length)) : 1;
}

function getAdditionCost(a: CelValue, b: CelValue): number {
  return typeof a === "string" && typeof b === "string" ? getTraversalCost(a.length + b.length) : 1;
}

/** What can't be compared differs. */
function differ(a: CelValue, b: CelValue, meter: Meter): CelValue {
  return equal(a, b, meter) !== true;
}

function not(value: CelValue): CelValue {
  return typeof value === "boolean" ? !value : NO_OVERLOAD;
}

function buildComparison(test: (order: number) => boolean): Operator {
  return buildBinary((a, b) => {
    const result = compareValues(a, b);
    return typeof result === "number" ? test(result) : result;
  }, getOrderingCost);
}

function buildArithmetic(op: ArithmeticOperator): Operator {
  return op === "+" ? buildBinary(add, getAdditionCost) : buildBinary((a, b) => calculate(op, a, b), getOrderingCost);
}

/** The API server joins texts and lists without copying them. */
function add(a: CelValue, b: CelValue, meter: Meter): CelValue {
  if (typeof a === "string") countMemory(meter, a.length + actualSize(b));
  else if (isObjectValue(a)) countJoined(a, b, meter);
  return calculate("+", a, b);
}

function countJoined(a: ObjectValue, b: CelValue, meter: Meter): void {
  if (a.kind === "bytes") countMemory(meter, a.bytes.length + actualSize(b));
  if (a.kind === "list")
    countMemory(meter, 2 * BYTES.item * ((a.growing === undefined ? actualSize(a) : 0) + actualSize(b)));
}

/** The other side is only evaluated if there is no value. Neither the call nor a value that is no optional is wrong, or costs anything. */
function buildOrElse(keepsOptional: boolean): Operator {
  return (over = nothing, other = nothing) => {
    const { find } = over;
    if (find !== undefined && !keepsOptional)
      return (frame) => {
        countWork(frame, FREE_WORK);
        const part = find(frame);
        return part === undefined ? other(frame) : part;
      };
    return (frame) => {
      countWork(frame, FREE_WORK);
      const value = over(frame);
      if (isError(value)) return value;
      if (!isKind(value, "optional")) return value;
      if (value.value === undefined) return other(frame);
      return keepsOptional ? value : value.value;
    };
  };
}

function hasOptionalValue(value: CelValue): CelValue {
  return isKind(value, "optional") ? value.value !== undefined : NO_OVERLOAD;
}

/** Looks at what steps lead to, and makes no optional of it. */
function buildPresence(over = nothing): Interpretable {
  const { find } = over;
  if (find === undefined) return buildUnary(hasOptionalValue)(over);
  return (frame) => {
    const part = find(frame);
    if (part !== undefined && isError(part)) return part;
    charge(frame, 1);
    return part !== undefined;
  };
}

const COMPARED =
  "(bool, bool) bool | (int, int) bool | (int, double) bool since mixedNumbers | (int, uint) bool since mixedNumbers | (uint, uint) bool | " +
  "(uint, double) bool since mixedNumbers | (uint, int) bool since mixedNumbers | (double, double) bool | (double, int) bool since mixedNumbers | " +
  "(double, uint) bool since mixedNumbers | (string, string) bool | (bytes, bytes) bool | (timestamp, timestamp) bool | " +
  "(duration, duration) bool";
const MULTIPLIED = "(double, double) double | (int, int) int | (uint, uint) uint";

/** The language's operators, by the names that cel-go gives them. Selections and the conditional are compiled as attributes. */
export const OPERATORS = buildApiServerLibrary("rules", {
  "!_": { types: "(bool) bool", compile: buildUnary(not) },
  "@not_strictly_false": { types: "(bool) bool", compile: buildNotStrictlyFalse },
  "-_": { types: "(double) double | (int) int", compile: buildUnary(negate) },
  "@in": { types: "(A, list(A)) bool | (A, map(A, B)) bool", compile: buildBinary(isIn, getContainerCost) },
  "_!=_": { types: "(A, A) bool", compile: buildBinary(differ, getEqualityCost) },
  "_==_": { types: "(A, A) bool", compile: buildBinary(equal, getEqualityCost) },
  "_%_": { types: "(int, int) int | (uint, uint) uint", compile: buildArithmetic("%") },
  "_&&_": { types: "(bool, bool) bool", compile: buildLogical(false) },
  "_||_": { types: "(bool, bool) bool", compile: buildLogical(true) },
  "_*_": { types: MULTIPLIED, compile: buildArithmetic("*") },
  "_/_": { types: MULTIPLIED, compile: buildArithmetic("/") },
  "_+_": {
    types:
      "(bytes, bytes) bytes | (double, double) double | (duration, duration) duration | " +
      "(duration, timestamp) timestamp | (timestamp, duration) timestamp | (int, int) int | " +
      "(list(A), list(A)) list(A) | (string, string) string | (uint, uint) uint",
    compile: buildArithmetic("+"),
  },
  "_-_": {
    types:
      "(double, double) double | (duration, duration) duration | (int, int) int | " +
      "(timestamp, duration) timestamp | (timestamp, timestamp) duration | (uint, uint) uint",
    compile: buildArithmetic("-"),
  },
  "_<=_": { types: COMPARED, compile: buildComparison((order) => order <= 0) },
  "_<_": { types: COMPARED, compile: buildComparison((order) => order < 0) },
  "_>=_": { types: COMPARED, compile: buildComparison((order) => order >= 0) },
  "_>_": { types: COMPARED, compile: buildComparison((order) => order > 0) },
  "_?_:_": { types: "(bool, A, A) A" },
  "_?._": { types: "(dyn, string) optional_type(V) since optionals" },
  "_[?_]": {
    types:
      "(list(V), int) optional_type(V) since optionals | (optional_type(list(V)), int) optional_type(V) since optionals | " +
      "(map(K, V), K) optional_type(V) since optionals | (optional_type(map(K, V)), K) optional_type(V) since optionals",
  },
  "_[_]": {
    types:
      "(list(A), int) A | (map(A, B), A) B | (optional_type(list(V)), int) optional_type(V) since optionals | " +
      "(optional_type(map(K, V)), K) optional_type(V) since optionals",
  },
});

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
  hasValue: { types: "optional_type(V).() bool", compile: buildPresence },
  value: {
    types: "optional_type(V).() V",
    call: onKind("optional", ({ value }) => (value === undefined ? NO_VALUE : value)),
  },
  or: { types: "optional_type(V).(optional_type(V)) optional_type(V)", compile: buildOrElse(true) },
  orValue: { types: "optional_type(V).(V) V", compile: buildOrElse(false) },
  first: { types: "list(V).() optional_type(V) since optionalLists", call: selectEnd(0) },
  last: { types: "list(V).() optional_type(V) since optionalLists", call: selectEnd(-1) },
});
