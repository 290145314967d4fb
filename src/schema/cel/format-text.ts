import { durationText } from "./duration-text.ts";
import { mapKeys, mapValue } from "./equal.ts";
import { doubleText, toText } from "./convert.ts";
import { timestampText } from "./timestamp-text.ts";
import { byText } from "../../model/json.ts";
import { NotJudged, type Value, failure, isFailure, isList, isMap, isOther } from "./value.ts";
import { listValues } from "./wrap.ts";

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

/** `strings.quote`. */
export function quoted(text: string): string {
  return `"${text.toWellFormed().replaceAll(/[\u0007\b\f\n\r\t\v\\"]/g, (sign) => ESCAPES.get(sign) ?? sign)}"`;
}

/** Text as Go's %q shows it; what is neither plain nor one of the common escapes is not shown here. */
function goQuoted(text: string): string {
  if (/[^\u0020-\u007e\u0007\b\f\n\r\t\v\u00a1-\u00ac\u00ae-\u0377]/.test(text)) {
    throw new NotJudged("a text that can't be quoted here is formatted");
  }
  return quoted(text);
}

const CLAUSE = /%(?:%|(?:\.(\d+))?([sdfebxXo]))|%/g;

/** `format`: %s %d %f %e %b %x %X %o, a precision for %f and %e, and %%. */
export function formatted(template: string, args: readonly Value[]): Value {
  let next = 0;
  let wrong: Value | undefined;
  const text = template.replaceAll(CLAUSE, (clause, precision: string | undefined, letter: string | undefined) => {
    if (clause === "%%") return "%";
    const arg = args[next++];
    const shown =
      arg === undefined || letter === undefined
        ? failure("could not parse formatting clause")
        : clauseText(letter, arg, precision);
    if (typeof shown === "string") return shown;
    wrong ??= shown;
    return "";
  });
  return wrong ?? text;
}

const MOST_DIGITS = 100;

function clauseText(letter: string, arg: Value, precision: string | undefined): Value {
  const digits = Number(precision ?? "6");
  if (digits > MOST_DIGITS) throw new NotJudged("more than 100 digits are asked for");
  switch (letter) {
    case "s":
      return shownAs(arg);
    case "d":
      return inBase(arg, 10);
    case "f":
      return typeof arg === "number" ? (special(arg) ?? grouped(rounded(arg, digits))) : wrongType(arg);
    case "e":
      return typeof arg === "number" ? (special(arg) ?? exponent(arg)) : wrongType(arg);
    case "b":
      return typeof arg === "boolean" ? (arg ? "1" : "0") : inBase(arg, 2);
    case "o":
      return inBase(arg, 8);
    default:
      return hexadecimal(arg, letter === "X");
  }
}

function wrongType(arg: Value): Value {
  if (arg === "NaN" || arg === "Infinity" || arg === "-Infinity")
    throw new NotJudged("a text is formatted as a number");
  return failure("error during formatting: the argument is not of the clause's type");
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? undefined : value > 0 ? "∞" : "-∞";
}

/** Six digits whatever precision is asked for, as the API server does. */
function exponent(value: number): string {
  const [mantissa = "", power = "0"] = value.toExponential(6).split("e");
  const size = String(Math.abs(Number(power))).padStart(2, "0");
  return `${mantissa}×10${[...`${power.startsWith("-") ? "-" : ""}${size}`].map(superscript).join("")}`;
}

/** With exactly so many digits behind the point; what lies in the middle is rounded to the even digit. */
function rounded(value: number, digits: number): string {
  const near = value.toFixed(digits);
  const [whole = "", rest = ""] = value.toFixed(MOST_DIGITS).split(".");
  const cut = digits === 0 ? whole : `${whole}.${rest.slice(0, digits)}`;
  return /^50*$/.test(rest.slice(digits)) && /[02468]$/.test(cut) ? cut : near;
}

/** A comma between thousands. */
function grouped(text: string): string {
  const [whole = "", ...rest] = text.split(".");
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ","), ...rest].join(".");
}

function superscript(sign: string): string {
  return sign === "-" ? "⁻" : ("⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? sign);
}

function inBase(arg: Value, base: number): Value {
  if (typeof arg === "bigint") return arg.toString(base);
  return isOther(arg) && arg.kind === "uint" ? arg.value.toString(base) : wrongType(arg);
}

function hexadecimal(arg: Value, isUpper: boolean): Value {
  const bytes =
    typeof arg === "string" ? Buffer.from(arg, "utf8") : isOther(arg) && arg.kind === "bytes" ? arg.bytes : undefined;
  const text = bytes === undefined ? inBase(arg, 16) : Buffer.from(bytes).toString("hex");
  return typeof text === "string" && isUpper ? text.toUpperCase() : text;
}

/** What %s makes of a value. */
function shownAs(arg: Value): Value {
  if (arg === null) return "null";
  if (isOther(arg) && (isList(arg) || isMap(arg))) return nested(arg);
  const text = isOther(arg) && arg.kind === "type" ? arg.name : toText(arg);
  return isFailure(text) ? wrongType(arg) : text;
}

function nested(arg: Value): Value {
  if (isList(arg)) return `[${listValues(arg).map(inner).join(", ")}]`;
  if (!isMap(arg)) return inner(arg);
  const pairs = mapKeys(arg).map((key) => `${inner(key)}:${inner(mapValue(arg, key) ?? null)}`);
  return `{${pairs.toSorted(byText).join(", ")}}`;
}

/** A value within a list or map: texts are quoted. */
function inner(arg: Value): string {
  if (arg === null) return "null";
  if (typeof arg === "string") return goQuoted(arg);
  if (typeof arg === "number") return Number.isFinite(arg) ? rounded(arg, 6) : `"${doubleText(arg)}"`;
  if (typeof arg !== "object") return String(arg);
  if (arg.kind === "timestamp") return `timestamp("${timestampText(arg)}")`;
  if (arg.kind === "duration") return `duration("${durationText(arg)}")`;
  if (arg.kind === "uint") return String(arg.value);
  const text = isList(arg) || isMap(arg) ? nested(arg) : undefined;
  if (typeof text === "string") return text;
  throw new NotJudged(`a value of the type ${arg.kind} within a list is formatted`);
}
