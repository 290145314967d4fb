import { codePoints } from "../code-points.ts";
import { int, uint } from "./arithmetic.ts";
import { decodeUtf8, utf8 } from "./bytes.ts";
import { durationText, parseDuration } from "./duration-text.ts";
import { costSize, traversal } from "./frame.ts";
import { mapSize } from "./equal.ts";
import type { Fn, Named } from "./fn.ts";
import { cidrText, ipText } from "./ip.ts";
import { parseTimestamp, timestampText } from "./timestamp-text.ts";
import {
  type Duration,
  NO_OVERLOAD,
  NotJudged,
  type Other,
  type Value,
  bytesOf,
  failure,
  isFailure,
  isList,
  isMap,
  isOther,
  typeName,
} from "./value.ts";
import { listSize } from "./wrap.ts";

const MOST_SECONDS = 315_576_000_000n;

function size(value: Value): Value {
  if (typeof value === "string") return BigInt(codePoints(value));
  if (isList(value)) return BigInt(listSize(value));
  if (isMap(value)) return BigInt(mapSize(value));
  return isOther(value) && value.kind === "bytes" ? BigInt(value.bytes.length) : NO_OVERLOAD;
}

function toInt(value: Value): Value {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") {
    return value > -(2 ** 63) && value < 2 ** 63 ? BigInt(Math.trunc(value)) : failure("integer overflow");
  }
  if (typeof value === "string") return /^[+-]?\d+$/.test(value) ? ofText(value, int) : noConversion("string", "int");
  if (!isOther(value)) return NO_OVERLOAD;
  if (value.kind === "uint") return int(value.value);
  if (value.kind === "timestamp") return BigInt(value.seconds);
  return value.kind === "duration" ? value.nanos : NO_OVERLOAD;
}

function ofText(text: string, checked: (value: bigint) => Value): Value {
  const found = text.length > 10_000 ? failure("value out of range") : checked(BigInt(text.replace("+", "")));
  return isFailure(found) ? noConversion("string", "int") : found;
}

function noConversion(from: string, to: string): Value {
  return failure(`type conversion error from '${from}' to '${to}'`);
}

function toUint(value: Value): Value {
  if (typeof value === "bigint") return uint(value);
  if (typeof value === "number") {
    return value >= 0 && value < 2 ** 64 ? uint(BigInt(Math.trunc(value))) : failure("unsigned integer overflow");
  }
  if (typeof value === "string") return /^\d+$/.test(value) ? ofText(value, uint) : noConversion("string", "uint");
  return isOther(value) && value.kind === "uint" ? value : NO_OVERLOAD;
}

const DIGITS = "\\d+(?:_\\d+)*";
const DECIMAL = new RegExp(`^[+-]?(?:${DIGITS}\\.?(?:${DIGITS})?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?$`);

function toDouble(value: Value): Value {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string") return doubleOfText(value);
  return isOther(value) && value.kind === "uint" ? Number(value.value) : NO_OVERLOAD;
}

function doubleOfText(text: string): Value {
  const special = /^([+-]?)(?:(inf|infinity)|nan)$/i.exec(text);
  if (special)
    return special[2] === undefined
      ? special[1] === ""
        ? NaN
        : noConversion("string", "double")
      : special[1] === "-"
        ? -Infinity
        : Infinity;
  if (/^[+-]?0x.*p/i.test(text)) throw new NotJudged("a hexadecimal number with a fraction is read");
  const found = DECIMAL.test(text) ? Number(text.replaceAll("_", "")) : NaN;
  return Number.isFinite(found) ? found : noConversion("string", "double");
}

function toBool(value: Value): Value {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return NO_OVERLOAD;
  if (["1", "t", "T", "true", "TRUE", "True"].includes(value)) return true;
  if (["0", "f", "F", "false", "FALSE", "False"].includes(value)) return false;
  return noConversion("string", "bool");
}

/** A double as Go's %g prints it. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  if (Number(power) >= -4 && Number(power) < 6) return plainDouble(value);
  return `${mantissa}e${power.startsWith("-") ? "-" : "+"}${power.replace(/^[+-]/, "").padStart(2, "0")}`;
}

function plainDouble(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  return value.toFixed(20).replace(/0+$/, "");
}

/** `string(...)`. */
export function toText(value: Value): Value {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "number") return doubleText(value);
  return value === null ? NO_OVERLOAD : otherText(value);
}

function otherText(value: Other): Value {
  if (value.kind === "uint") return String(value.value);
  if (value.kind === "bytes")
    return decodeUtf8(value.bytes) ?? failure("invalid UTF-8 in bytes, cannot convert to string");
  if (value.kind === "timestamp") return timestampText(value);
  if (value.kind === "duration") return durationText(value);
  if (value.kind === "ip") return ipText(value);
  return value.kind === "cidr" ? cidrText(value) : NO_OVERLOAD;
}

function toBytes(value: Value): Value {
  if (typeof value === "string") return bytesOf(utf8(value));
  return isOther(value) && value.kind === "bytes" ? value : NO_OVERLOAD;
}

function toTimestamp(value: Value): Value {
  if (typeof value === "bigint") {
    const seconds = Number(value);
    if (seconds < -62_135_596_800 || seconds > 253_402_300_799) return failure("timestamp overflow");
    return { kind: "timestamp", seconds, nanos: 0, offset: 0 };
  }
  if (typeof value === "string") return parseTimestamp(value) ?? noConversion("string", "google.protobuf.Timestamp");
  return isOther(value) && value.kind === "timestamp" ? value : NO_OVERLOAD;
}

function toDuration(value: Value): Value {
  if (typeof value === "bigint") return { kind: "duration", nanos: value };
  if (typeof value === "string") return bounded(parseDuration(value));
  return isOther(value) && value.kind === "duration" ? value : NO_OVERLOAD;
}

function bounded(duration: Duration | undefined): Value {
  const seconds = (duration?.nanos ?? 0n) / 1_000_000_000n;
  if (duration === undefined || seconds > MOST_SECONDS || seconds < -MOST_SECONDS) {
    return noConversion("string", "google.protobuf.Duration");
  }
  return duration;
}

function one(act: (value: Value) => Value, cost?: Fn["cost"]): Fn {
  return { least: 1, most: 1, act: ([value = null]) => act(value), ...(cost ? { cost } : {}) };
}

/** Texts that become bytes, and the other way round, are traversed. */
function converted([value = null]: readonly Value[], result: Value): number {
  const isTraversed = (typeof value === "string") !== (typeof result === "string") && typeName(value) !== "int";
  return isTraversed && (typeName(value) === "bytes" || typeName(result) === "bytes") ? traversal(costSize(value)) : 1;
}

export const SIZE: Fn = one(size);

export const CONVERSIONS: Named = [
  ["size", SIZE],
  ["type", one((value) => ({ kind: "type", name: typeName(value) }))],
  ["dyn", one((value) => value)],
  ["int", one(toInt)],
  ["uint", one(toUint)],
  ["double", one(toDouble)],
  ["bool", one(toBool)],
  ["string", one(toText, converted)],
  ["bytes", one(toBytes, converted)],
  ["timestamp", one(toTimestamp)],
  ["duration", one(toDuration)],
];
