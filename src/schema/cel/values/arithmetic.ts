import type { StructuralSchema } from "../../openapi/index.ts";
import { buildListKey, buildSetKeys, requireHashable } from "./equality.ts";
import { NANOS_PER_SECOND, FIRST_SECOND, LAST_SECOND } from "./times.ts";
import type { DurationValue, ListValue, ObjectValue, TimestampValue, CelValue } from "./value.ts";
import { NO_OVERLOAD, buildBytes, buildError, isObjectValue, formatSetKey, isKind } from "./value.ts";
import { getListValues } from "./unstructured.ts";

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const INT_OVERFLOW = buildError("integer overflow");
const UINT_OVERFLOW = buildError("unsigned integer overflow");
const DURATION_OVERFLOW = buildError("duration overflow");
const TIMESTAMP_OVERFLOW = buildError("timestamp overflow");

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";

export function checkInt(value: bigint): CelValue {
  return value > MAX_INT64 || value < MIN_INT64 ? INT_OVERFLOW : value;
}

export function checkUint(value: bigint): CelValue {
  return value < 0n || value > 2n ** 64n - 1n ? UINT_OVERFLOW : { kind: "uint", value };
}

function checkDuration(nanos: bigint): CelValue {
  return nanos > MAX_INT64 || nanos < MIN_INT64 ? DURATION_OVERFLOW : { kind: "duration", nanos };
}

export function negate(value: CelValue): CelValue {
  if (typeof value === "bigint") return checkInt(-value);
  if (typeof value === "number") return -value;
  return isKind(value, "duration") ? checkDuration(-value.nanos) : NO_OVERLOAD;
}

/** Of two values neither of which is a failure. */
export function calculate(op: ArithmeticOperator, a: CelValue, b: CelValue): CelValue {
  if (typeof a === "bigint") return typeof b === "bigint" ? calculateInts(op, a, b, checkInt) : NO_OVERLOAD;
  if (typeof a === "number") return typeof b === "number" ? calculateDoubles(op, a, b) : NO_OVERLOAD;
  if (typeof a === "string") return typeof b === "string" && op === "+" ? a + b : NO_OVERLOAD;
  if (!isObjectValue(a) || !isObjectValue(b)) return NO_OVERLOAD;
  if (a.kind === "uint" && b.kind === "uint") return calculateInts(op, a.value, b.value, checkUint);
  if (op === "+") return add(a, b);
  return op === "-" ? subtract(a, b) : NO_OVERLOAD;
}

function calculateInts(op: ArithmeticOperator, a: bigint, b: bigint, checked: (value: bigint) => CelValue): CelValue {
  switch (op) {
    case "+":
      return checked(a + b);
    case "-":
      return checked(a - b);
    case "*":
      return checked(a * b);
    case "/":
      return b === 0n ? buildError("division by zero") : checked(a / b);
    case "%":
      return b === 0n ? buildError("modulus by zero") : a === MIN_INT64 && b === -1n ? INT_OVERFLOW : checked(a % b);
  }
}

function calculateDoubles(op: ArithmeticOperator, a: number, b: number): CelValue {
  switch (op) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "%":
      return NO_OVERLOAD;
  }
}

function add(a: ObjectValue, b: ObjectValue): CelValue {
  if (a.kind === "list" && b.kind === "list") return concatLists(a, b);
  if (a.kind === "bytes" && b.kind === "bytes") return buildBytes(new Uint8Array(Buffer.concat([a.bytes, b.bytes])));
  if (a.kind === "duration" && b.kind === "duration") return checkDuration(a.nanos + b.nanos);
  if (a.kind === "timestamp" && b.kind === "duration") return shiftTimestamp(a, b.nanos);
  return a.kind === "duration" && b.kind === "timestamp" ? shiftTimestamp(b, a.nanos) : NO_OVERLOAD;
}

function subtract(a: ObjectValue, b: ObjectValue): CelValue {
  if (a.kind === "duration" && b.kind === "duration") return checkDuration(a.nanos - b.nanos);
  if (a.kind === "timestamp" && b.kind === "duration") return shiftTimestamp(a, -b.nanos);
  if (a.kind === "timestamp" && b.kind === "timestamp") return checkDuration(toNanos(a) - toNanos(b));
  return NO_OVERLOAD;
}

function toNanos({ seconds, nanos }: TimestampValue): bigint {
  return BigInt(seconds) * NANOS_PER_SECOND + BigInt(nanos);
}

function shiftTimestamp(time: TimestampValue, by: DurationValue["nanos"]): CelValue {
  const total = toNanos(time) + by;
  const nanos = ((total % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  const seconds = Number((total - nanos) / NANOS_PER_SECOND);
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) return TIMESTAMP_OVERFLOW;
  return { ...time, seconds, nanos: Number(nanos) };
}

/** A set gains the items that it lacks; in a map list, items of the second list replace those of the first with the same keys. */
function concatLists(a: ListValue, b: ListValue): ListValue {
  if (a.growing) {
    for (const value of getListValues(b)) a.growing.push(value);
    return a;
  }
  const { items, type } = a;
  if (type?.kind === "set") for (const list of [a, b]) requireHashable(list);
  const added = getListValues(b);
  const more = items === undefined ? added : added.map((value) => readAgain(value, items));
  return { kind: "list", json: undefined, items, type, values: joinValues(a, more) };
}

/** What is added to a list of an object is read by its schema, which can't read lists and maps that an expression wrote. */
function readAgain(value: CelValue, { types: [type] }: StructuralSchema): CelValue {
  const isWritten = (isKind(value, "list") && value.items === undefined) || isKind(value, "map");
  return isWritten && (type === "array" || type === "object") ? UNREADABLE : value;
}

const UNREADABLE = buildError("invalid data, expected a value of an object");

function joinValues(a: ListValue, more: readonly CelValue[]): readonly CelValue[] {
  const { type } = a;
  const values = [...getListValues(a)];
  if (type === undefined) return [...values, ...more];
  if (type.kind === "set") {
    const known = new Set(buildSetKeys(a));
    return [...values, ...more.filter((item) => isAdded(formatSetKey(item), known))];
  }
  const indexes = new Map(values.map((item, i) => [buildListKey(item, type.keys), i]));
  for (const item of more) {
    const index = indexes.get(buildListKey(item, type.keys));
    if (index === undefined) values.push(item);
    else values[index] = item;
  }
  return values;
}

/** Adds the key of an item, unless it is known. */
function isAdded(key: string | undefined, known: Set<string | undefined>): boolean {
  if (key === undefined) return true;
  const isNew = !known.has(key);
  known.add(key);
  return isNew;
}
