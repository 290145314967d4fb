import { joinBytes } from "./bytes.ts";
import { listKey } from "./equal.ts";
import { FIRST_SECOND, LAST_SECOND } from "./timestamp-text.ts";
import {
  type Duration,
  type List,
  NO_OVERLOAD,
  type Other,
  type Timestamp,
  type Value,
  bytesOf,
  failure,
  isOther,
  keyText,
} from "./value.ts";
import { listValues } from "./wrap.ts";

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;
const INT_OVERFLOW = failure("integer overflow");
const UINT_OVERFLOW = failure("unsigned integer overflow");
const DURATION_OVERFLOW = failure("duration overflow");
const TIMESTAMP_OVERFLOW = failure("timestamp overflow");
const SECOND = 1_000_000_000n;

export type Arithmetic = "+" | "-" | "*" | "/" | "%";

export function int(value: bigint): Value {
  return value > MOST || value < LEAST ? INT_OVERFLOW : value;
}

export function uint(value: bigint): Value {
  return value < 0n || value > 2n ** 64n - 1n ? UINT_OVERFLOW : { kind: "uint", value };
}

function duration(nanos: bigint): Value {
  return nanos > MOST || nanos < LEAST ? DURATION_OVERFLOW : { kind: "duration", nanos };
}

export function negate(value: Value): Value {
  if (typeof value === "bigint") return int(-value);
  if (typeof value === "number") return -value;
  return isOther(value) && value.kind === "duration" ? duration(-value.nanos) : NO_OVERLOAD;
}

/** Of two values neither of which is a failure. */
export function calculate(op: Arithmetic, a: Value, b: Value): Value {
  if (typeof a === "bigint") return typeof b === "bigint" ? onInts(op, a, b, int) : NO_OVERLOAD;
  if (typeof a === "number") return typeof b === "number" ? onDoubles(op, a, b) : NO_OVERLOAD;
  if (typeof a === "string") return typeof b === "string" && op === "+" ? a + b : NO_OVERLOAD;
  if (!isOther(a) || !isOther(b)) return NO_OVERLOAD;
  if (a.kind === "uint" && b.kind === "uint") return onInts(op, a.value, b.value, uint);
  if (op === "+") return add(a, b);
  return op === "-" ? subtract(a, b) : NO_OVERLOAD;
}

function onInts(op: Arithmetic, a: bigint, b: bigint, checked: (value: bigint) => Value): Value {
  switch (op) {
    case "+":
      return checked(a + b);
    case "-":
      return checked(a - b);
    case "*":
      return checked(a * b);
    case "/":
      return b === 0n ? failure("division by zero") : checked(a / b);
    case "%":
      return b === 0n ? failure("modulus by zero") : a === LEAST && b === -1n ? INT_OVERFLOW : checked(a % b);
  }
}

function onDoubles(op: Arithmetic, a: number, b: number): Value {
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

function add(a: Other, b: Other): Value {
  if (a.kind === "list" && b.kind === "list") return concat(a, b);
  if (a.kind === "bytes" && b.kind === "bytes") return bytesOf(joinBytes(a.bytes, b.bytes));
  if (a.kind === "duration" && b.kind === "duration") return duration(a.nanos + b.nanos);
  if (a.kind === "timestamp" && b.kind === "duration") return moved(a, b.nanos);
  return a.kind === "duration" && b.kind === "timestamp" ? moved(b, a.nanos) : NO_OVERLOAD;
}

function subtract(a: Other, b: Other): Value {
  if (a.kind === "duration" && b.kind === "duration") return duration(a.nanos - b.nanos);
  if (a.kind === "timestamp" && b.kind === "duration") return moved(a, -b.nanos);
  if (a.kind === "timestamp" && b.kind === "timestamp") return duration(nanosOf(a) - nanosOf(b));
  return NO_OVERLOAD;
}

function nanosOf({ seconds, nanos }: Timestamp): bigint {
  return BigInt(seconds) * SECOND + BigInt(nanos);
}

function moved(time: Timestamp, by: Duration["nanos"]): Value {
  const total = nanosOf(time) + by;
  const nanos = ((total % SECOND) + SECOND) % SECOND;
  const seconds = Number((total - nanos) / SECOND);
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) return TIMESTAMP_OVERFLOW;
  return { ...time, seconds, nanos: Number(nanos) };
}

/** A set takes what it lacks; of a map by keys the second list's items replace those of the first. */
function concat(a: List, b: List): List {
  return { kind: "list", json: undefined, items: undefined, type: a.type, values: joined(a, listValues(b)) };
}

function joined(a: List, more: readonly Value[]): readonly Value[] {
  const { type } = a;
  if (type === undefined) return [...listValues(a), ...more];
  const nameOf = (item: Value): string => (type.kind === "map" ? listKey(item, type.keys) : (keyText(item) ?? "?"));
  const values = [...listValues(a)];
  const places = new Map(values.map((item, i) => [nameOf(item), i]));
  for (const item of more) {
    const place = places.get(nameOf(item));
    if (place === undefined && type.kind === "set") places.set(nameOf(item), values.length);
    if (place === undefined) values.push(item);
    else if (type.kind === "map") values[place] = item;
  }
  return values;
}
