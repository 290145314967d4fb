import { countCodePoints } from "../../openapi/index.ts";
import type { FunctionImplementation, FunctionRow } from "../runtime/environment.ts";
import { actualSize, buildApiServerLibrary, getTraversalCost } from "../runtime/environment.ts";
import { checkInt, checkUint } from "../values/arithmetic.ts";
import {
  type CalendarTime,
  NANOS_PER_SECOND,
  parseDuration,
  FIRST_SECOND,
  LAST_SECOND,
  parseTimestamp,
  toCalendarTime,
} from "../values/times.ts";
import { getMapSize } from "../values/equality.ts";
import type { DurationValue, CelValue, TimestampValue } from "../values/value.ts";
import {
  NO_OVERLOAD,
  buildBytes,
  buildError,
  isError,
  isList,
  isMap,
  isObjectValue,
  getTypeName,
  isKind,
  UnsupportedError,
} from "../values/value.ts";
import { type Meter, countMemory, countWork } from "../values/meter.ts";
import { toText } from "../values/text-formatting.ts";
import { getListSize } from "../values/unstructured.ts";

const MAX_DURATION_SECONDS = 315_576_000_000n;

function getSize(value: CelValue): CelValue {
  if (typeof value === "string") return BigInt(countCodePoints(value));
  if (isList(value)) return BigInt(getListSize(value));
  if (isMap(value)) return BigInt(getMapSize(value));
  return isKind(value, "bytes") ? BigInt(value.bytes.length) : NO_OVERLOAD;
}

function toInt(value: CelValue): CelValue {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") {
    return value > -(2 ** 63) && value < 2 ** 63 ? BigInt(Math.trunc(value)) : buildError("integer overflow");
  }
  if (typeof value === "string")
    return /^[+-]?\d+$/.test(value) ? convertText(value, checkInt) : buildConversionError("string", "int");
  if (!isObjectValue(value)) return NO_OVERLOAD;
  if (value.kind === "uint") return checkInt(value.value);
  if (value.kind === "timestamp") return BigInt(value.seconds);
  return value.kind === "duration" ? value.nanos : NO_OVERLOAD;
}

function convertText(text: string, check: (value: bigint) => CelValue): CelValue {
  const result = text.length > 10_000 ? buildError("value out of range") : check(BigInt(text.replace("+", "")));
  return isError(result) ? buildConversionError("string", "int") : result;
}

function buildConversionError(from: string, to: string): CelValue {
  return buildError(`type conversion error from '${from}' to '${to}'`);
}

function toUint(value: CelValue): CelValue {
  if (typeof value === "bigint") return checkUint(value);
  if (typeof value === "number") {
    return value >= 0 && value < 2 ** 64
      ? checkUint(BigInt(Math.trunc(value)))
      : buildError("unsigned integer overflow");
  }
  if (typeof value === "string")
    return /^\d+$/.test(value) ? convertText(value, checkUint) : buildConversionError("string", "uint");
  return isKind(value, "uint") ? value : NO_OVERLOAD;
}

const DIGITS = "\\d+(?:_\\d+)*";
const DECIMAL = new RegExp(`^[+-]?(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?$`);

function toDouble(value: CelValue): CelValue {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string") return parseDouble(value);
  return isKind(value, "uint") ? Number(value.value) : NO_OVERLOAD;
}

function parseDouble(text: string): CelValue {
  if (/^nan$/i.test(text)) return NaN;
  const infinity = /^([+-]?)inf(?:inity)?$/i.exec(text);
  if (infinity) return infinity[1] === "-" ? -Infinity : Infinity;
  const result = parseHexadecimal(text) ?? (DECIMAL.test(text) ? Number(text.replaceAll("_", "")) : NaN);
  return Number.isFinite(result) ? result : buildConversionError("string", "double");
}

const HEXADECIMAL = /^([+-]?)0x(?=\.?[\da-f])([\da-f]*)\.?([\da-f]*)p([+-]?\d+)$/i;

function parseHexadecimal(text: string): number | undefined {
  const [, sign, whole = "", fraction = "", power = ""] = HEXADECIMAL.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const size = Number(BigInt(`0x0${whole}${fraction}`)) * 2 ** (Number(power) - 4 * fraction.length);
  return sign === "-" ? -size : size;
}

function toBool(value: CelValue): CelValue {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return NO_OVERLOAD;
  if (["1", "t", "T", "true", "TRUE", "True"].includes(value)) return true;
  if (["0", "f", "F", "false", "FALSE", "False"].includes(value)) return false;
  return buildConversionError("string", "bool");
}

function toBytes(value: CelValue, meter: Meter): CelValue {
  if (typeof value === "string") countMemory(meter, 3 * value.length);
  if (typeof value === "string") return buildBytes(new TextEncoder().encode(value));
  return isKind(value, "bytes") ? value : NO_OVERLOAD;
}

function toTimestamp(value: CelValue): CelValue {
  if (typeof value === "bigint") {
    const seconds = Number(value);
    if (seconds < FIRST_SECOND || seconds > LAST_SECOND) return buildError("timestamp overflow");
    return { kind: "timestamp", seconds, nanos: 0, offset: 0 };
  }
  if (typeof value === "string")
    return parseTimestamp(value) ?? buildConversionError("string", "google.protobuf.Timestamp");
  return isKind(value, "timestamp") ? value : NO_OVERLOAD;
}

function toDuration(value: CelValue): CelValue {
  // cel-go declares duration(int) and has no code for it.
  if (typeof value === "bigint") return buildConversionError("int", "google.protobuf.Duration");
  if (typeof value === "string") return checkDuration(parseDuration(value));
  return isKind(value, "duration") ? value : NO_OVERLOAD;
}

function checkDuration(duration: DurationValue | undefined): CelValue {
  const seconds = (duration?.nanos ?? 0n) / NANOS_PER_SECOND;
  if (duration === undefined || seconds > MAX_DURATION_SECONDS || seconds < -MAX_DURATION_SECONDS) {
    return buildConversionError("string", "google.protobuf.Duration");
  }
  return duration;
}

function onValue(act: (value: CelValue, meter: Meter) => CelValue): FunctionImplementation {
  return ([value = null], meter) => act(value, meter);
}

function convertToText(value: CelValue, meter: Meter): CelValue {
  if (isKind(value, "bytes")) countMemory(meter, 2 * value.bytes.length);
  return toText(value);
}

/** Conversions between text and bytes cost a traversal. */
function getConversionCost([value = null]: readonly CelValue[], result: CelValue): number {
  const from = getTypeName(value);
  const to = getTypeName(result);
  const isTraversed = (from === "string" && to === "bytes") || (from === "bytes" && to === "string");
  return isTraversed ? getTraversalCost(actualSize(value)) : 1;
}

const SIZES =
  "(bytes) int | bytes.() int | (list(A)) int | list(A).() int | (map(A, B)) int | map(A, B).() int | " +
  "(string) int | string.() int";
const TEXTS =
  "(string) string | (bool) string | (bytes) string | (double) string | (duration) string | (int) string | " +
  "(timestamp) string | (uint) string | (net.IP) string since addresses | (net.CIDR) string since addresses";

/** From each of the types. */
function convertsTo(type: string, from: string): string {
  return from.replaceAll(/\w+/g, `($&) ${type} |`).slice(0, -2);
}

export const CONVERSIONS = buildApiServerLibrary("rules", {
  size: { types: SIZES, call: onValue(getSize) },
  type: { types: "(A) type(A)", call: onValue((value) => ({ kind: "type", name: getTypeName(value) })) },
  dyn: { types: "(A) dyn", call: onValue((value) => value) },
  int: { types: convertsTo("int", "int double duration string timestamp uint"), call: onValue(toInt) },
  uint: { types: convertsTo("uint", "uint double int string"), call: onValue(toUint) },
  double: { types: convertsTo("double", "double int string uint"), call: onValue(toDouble) },
  bool: { types: convertsTo("bool", "bool string"), call: onValue(toBool) },
  string: { types: TEXTS, call: onValue(convertToText), cost: getConversionCost },
  bytes: { types: "(bytes) bytes | (string) bytes", call: onValue(toBytes), cost: getConversionCost },
  timestamp: { types: convertsTo("timestamp", "timestamp int string"), call: onValue(toTimestamp) },
  duration: { types: convertsTo("duration", "duration int string"), call: onValue(toDuration) },
});

type ReadTimePart = (clock: CalendarTime, time: TimestampValue) => number;

/** A part of a time, in UTC or in a zone given as an offset; of a duration, if it has such a part, the whole in that unit. */
function defineTimePart(read: ReadTimePart, unit?: bigint): FunctionRow {
  const types = "timestamp.() int | timestamp.(string) int";
  const call: FunctionRow["call"] = ([of = null, zone], meter) => {
    if (isKind(of, "duration") && zone === undefined && unit !== undefined) return of.nanos / unit;
    if (!isKind(of, "timestamp") || (zone !== undefined && typeof zone !== "string")) return NO_OVERLOAD;
    const offset = zone === undefined ? 0 : parseOffset(zone, meter);
    if (typeof offset !== "number") return offset;
    return BigInt(read(toCalendarTime(of.seconds + offset), of));
  };
  return { types: unit === undefined ? types : `${types} | duration.() int`, call };
}

/** Seconds east of UTC. */
function parseOffset(zone: string, meter: Meter): number | CelValue {
  if (zone === "" || zone === "UTC") return 0;
  if (!zone.includes(":")) return findZone(zone, meter);
  const match = /^([+-]?\d{1,4}):([+-]?\d{1,4})$/.exec(zone);
  if (!match) return buildError(`invalid time zone ${zone}`);
  const hours = Number(match[1]);
  const minutes = Number(match[2]);
  return (hours * 60 + (zone.startsWith("-") ? -minutes : minutes)) * 60;
}

/** Looking a zone up takes a long time. */
const ZONE_WORK = 2_000;

/** What a zone's name stands for depends on the data of the server, unless there is no such zone. */
function findZone(name: string, meter: Meter): CelValue {
  countWork(meter, ZONE_WORK);
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    if (name !== "Local") return buildError(`unknown time zone ${name}`);
  }
  throw new UnsupportedError(`the time zone ${name} is not supported`);
}

export const TIMES = buildApiServerLibrary("rules", {
  getFullYear: defineTimePart(({ year }) => year),
  getMonth: defineTimePart(({ month }) => month),
  getDayOfYear: defineTimePart(({ dayOfYear }) => dayOfYear),
  getDayOfMonth: defineTimePart(({ day }) => day - 1),
  getDate: defineTimePart(({ day }) => day),
  getDayOfWeek: defineTimePart(({ dayOfWeek }) => dayOfWeek),
  getHours: defineTimePart(({ hours }) => hours, 3_600_000_000_000n),
  getMinutes: defineTimePart(({ minutes }) => minutes, 60_000_000_000n),
  getSeconds: defineTimePart(({ seconds }) => seconds, 1_000_000_000n),
  getMilliseconds: defineTimePart((_, { nanos }) => Math.floor(nanos / 1_000_000), 1_000_000n),
});
