import { formatDuration, formatTimestamp } from "./times.ts";
import { formatCidr, formatIp } from "./addresses.ts";
import type { CelValue, ObjectValue } from "./value.ts";
import { NO_OVERLOAD, buildError, UnsupportedError, isError, isList, isMap, isKind, getTypeName } from "./value.ts";
import { escapeSign } from "./text.ts";
import { getMapKeys, getMapSize, findMapValue } from "./equality.ts";
import { compareText } from "../../../model/json.ts";
import { type Meter, BYTES, countMemory, countWork } from "./meter.ts";
import { getListValues } from "./unstructured.ts";

/** A double as Go's %g prints it. */
function formatDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  if (Number(power) >= -4 && Number(power) < 6) return formatPlainDouble(value);
  return `${mantissa}e${power.startsWith("-") ? "-" : "+"}${power.replace(/^[+-]/, "").padStart(2, "0")}`;
}

function formatPlainDouble(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  return value.toFixed(20).replace(/0+$/, "");
}

/** `string(...)`. */
export function toText(value: CelValue): CelValue {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "number") return formatDouble(value);
  return value === null ? NO_OVERLOAD : formatObjectValue(value);
}

function formatObjectValue(value: ObjectValue): CelValue {
  if (value.kind === "uint") return String(value.value);
  if (value.kind === "bytes")
    return decodeUtf8(value.bytes) ?? buildError("invalid UTF-8 in bytes, cannot convert to string");
  if (value.kind === "timestamp") return formatTimestamp(value);
  if (value.kind === "duration") return formatDuration(value);
  if (value.kind === "ip") return formatIp(value);
  return value.kind === "cidr" ? formatCidr(value) : NO_OVERLOAD;
}

/** Undefined if the bytes are not UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** `strings.quote`. */
export function quote(text: string): string {
  return `"${text.toWellFormed().replaceAll(/[\u0007\b\f\n\r\t\v\\"]/g, escapeSign)}"`;
}

/** Text as Go's %q formats it. */
export function quoteAsGo(text: string): string {
  return quote(text).replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
  });
}

const CLAUSE = /%(?:%|(?:\.(\d+))?([sdfebxXo]))|%/g;

/** The verbs of a template in their order; undefined for what is none. */
export function listClauses(template: string): readonly (string | undefined)[] {
  return [...template.matchAll(CLAUSE)].flatMap(([clause, , letter]) => (clause === "%%" ? [] : [letter]));
}

/** `format`: %s %d %f %e %b %x %X %o, a precision for %f and %e, and %%. */
export function formatString(template: string, args: readonly CelValue[], meter: Meter): CelValue {
  for (const arg of args) countText(arg, meter);
  let next = 0;
  let failure: CelValue | undefined;
  const text = template.replaceAll(CLAUSE, (clause, precision: string | undefined, letter: string | undefined) => {
    if (clause === "%%") return "%";
    const arg = args[next++];
    const shown =
      arg === undefined || letter === undefined
        ? buildError("could not parse formatting clause")
        : formatClause(letter, arg, precision);
    if (typeof shown === "string") return shown;
    failure ??= shown;
    return "";
  });
  return failure ?? text;
}

/** What writing a value takes, before it is written: it may hold others many times. */
export function countText(value: CelValue, meter: Meter): void {
  countWork(meter, WRITE_WORK);
  countMemory(meter, BYTES.scalar);
  if (typeof value === "string") countTextOfLength(meter, value.length);
  else if (isKind(value, "bytes")) countTextOfLength(meter, value.bytes.length);
  else if (isList(value)) for (const item of getListValues(value)) countText(item, meter);
  else if (isMap(value))
    for (const key of getMapKeys(value)) {
      countText(key, meter);
      countText(findMapValue(value, key) ?? null, meter);
    }
}

/** Of a value, and of a character, each of which may be escaped. */
const WRITE_WORK = 3;
const ESCAPE_WORK = 0.2;

function countTextOfLength(meter: Meter, length: number): void {
  countWork(meter, length * ESCAPE_WORK);
  countMemory(meter, 3 * length);
}

const MAX_DIGITS = 100;

function formatClause(letter: string, arg: CelValue, precision: string | undefined): CelValue {
  const digits = Number(precision ?? "6");
  if (digits > MAX_DIGITS) throw new UnsupportedError("more than 100 digits are requested");
  switch (letter) {
    case "s":
      return formatAny(arg);
    case "d":
      return formatInBase(arg, 10);
    case "f":
      return formatDecimal(arg, (value) => groupThousands(formatRounded(value, digits)));
    case "e":
      return padLeft(formatDecimal(arg, formatExponent), digits);
    case "b":
      return typeof arg === "boolean" ? (arg ? "1" : "0") : formatInBase(arg, 2);
    case "o":
      return formatInBase(arg, 8);
    default:
      return formatHexadecimal(arg, letter === "X");
  }
}

function rejectType(): CelValue {
  return buildError("error during formatting: the argument is not of the clause's type");
}

/** Texts stand for what no literal can be. */
const SPECIAL: ReadonlyMap<CelValue, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]);

function formatDecimal(arg: CelValue, format: (value: number) => string): CelValue {
  const value = SPECIAL.get(arg) ?? arg;
  return typeof value === "number" ? (formatSpecial(value) ?? format(value)) : rejectType();
}

function formatSpecial(value: number): string | undefined {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? undefined : value > 0 ? "∞" : "-∞";
}

/** The API server takes the precision of %e for a width. */
function padLeft(text: CelValue, width: number): CelValue {
  return typeof text === "string" ? text.padStart(width) : text;
}

/** Six digits whatever precision is requested. */
function formatExponent(value: number): string {
  const [mantissa = "", power = "0"] = value.toExponential(6).split("e");
  const size = String(Math.abs(Number(power))).padStart(2, "0");
  return `${mantissa}×10${[...`${power.startsWith("-") ? "-" : ""}${size}`].map(toSuperscript).join("")}`;
}

/** From here on, Number.toFixed gives an exponent. */
const LARGEST_FIXED = 1e21;

/** With exactly this many decimals; ties are rounded to the even digit. */
function formatRounded(value: number, digits: number): string {
  if (Math.abs(value) >= LARGEST_FIXED) return `${BigInt(value)}${digits === 0 ? "" : `.${"0".repeat(digits)}`}`;
  const near = value.toFixed(digits);
  const [whole = "", rest = ""] = value.toFixed(MAX_DIGITS).split(".");
  const cut = digits === 0 ? whole : `${whole}.${rest.slice(0, digits)}`;
  return /^50*$/.test(rest.slice(digits)) && /[02468]$/.test(cut) ? cut : near;
}

/** A comma between thousands. */
function groupThousands(text: string): string {
  const [whole = "", ...rest] = text.split(".");
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ","), ...rest].join(".");
}

function toSuperscript(sign: string): string {
  return sign === "-" ? "⁻" : ("⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? sign);
}

function formatInBase(arg: CelValue, base: number): CelValue {
  if (typeof arg === "bigint") return arg.toString(base);
  return isKind(arg, "uint") ? arg.value.toString(base) : rejectType();
}

function formatHexadecimal(arg: CelValue, isUpper: boolean): CelValue {
  const bytes = typeof arg === "string" ? Buffer.from(arg, "utf8") : isKind(arg, "bytes") ? arg.bytes : undefined;
  const text = bytes === undefined ? formatInBase(arg, 16) : Buffer.from(bytes).toString("hex");
  return typeof text === "string" && isUpper ? text.toUpperCase() : text;
}

/** A value as %s formats it. */
function formatAny(arg: CelValue): CelValue {
  if (arg === null) return "null";
  if (isList(arg) || isMap(arg)) return formatNested(arg);
  if (isKind(arg, "type")) return arg.name;
  const text = isKind(arg, "ip") || isKind(arg, "cidr") ? NO_TEXT : toText(arg);
  return isError(text) ? rejectType() : text;
}

const NO_TEXT = buildError("error during formatting: a value has no text");

function formatNested(arg: CelValue): CelValue {
  if (isList(arg)) return joinTexts("[", getListValues(arg).map(formatNestedValue), "]");
  if (!isMap(arg)) return formatNestedValue(arg);
  const keys = getMapKeys(arg).flatMap((key): readonly (readonly [string, CelValue])[] => {
    const name = formatKey(key);
    return typeof name === "string" ? [[name, key]] : [];
  });
  if (keys.length !== getMapSize(arg)) return NO_TEXT;
  const sorted = keys.toSorted(([a], [b]) => compareText(a, b));
  const entries = sorted.map(([name, key]) => formatEntry(name, findMapValue(arg, key)));
  return joinTexts("{", entries, "}");
}

function joinTexts(open: string, values: readonly CelValue[], close: string): CelValue {
  const texts = values.filter((value) => typeof value === "string");
  return texts.length < values.length ? NO_TEXT : `${open}${texts.join(", ")}${close}`;
}

const KEYS = new Set(["string", "bool", "int", "uint"]);

function formatKey(key: CelValue): CelValue {
  return KEYS.has(getTypeName(key)) ? formatNestedValue(key) : NO_TEXT;
}

function formatEntry(name: string, value: CelValue | undefined): CelValue {
  const text = value === undefined ? NO_TEXT : formatNestedValue(value);
  return typeof text === "string" ? `${name}:${text}` : NO_TEXT;
}

/** A value within a list or map: texts are quoted. */
function formatNestedValue(arg: CelValue): CelValue {
  if (arg === null) return "null";
  if (typeof arg === "string") return quoteAsGo(arg);
  if (typeof arg === "number") return formatNestedDouble(arg);
  if (typeof arg !== "object") return String(arg);
  if (arg.kind === "timestamp") return `timestamp("${formatTimestamp(arg)}")`;
  if (arg.kind === "duration") return `duration("${formatDuration(arg)}")`;
  if (arg.kind === "uint") return String(arg.value);
  if (arg.kind === "type") return arg.name;
  const bytes = arg.kind === "bytes" ? decodeUtf8(arg.bytes) : undefined;
  if (bytes !== undefined) return `b${quoteAsGo(bytes)}`;
  return isList(arg) || isMap(arg) ? formatNested(arg) : NO_TEXT;
}

function formatNestedDouble(value: number): string {
  if (!Number.isFinite(value)) return `"${formatDouble(value)}"`;
  return `${Object.is(value, -0) ? "-" : ""}${formatRounded(value, 6)}`;
}
