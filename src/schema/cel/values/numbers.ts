import type { QuantityValue, SemverValue, ObjectValue, CelValue } from "./value.ts";
import { UnsupportedError, NO_OVERLOAD, buildError, isKind } from "./value.ts";
import { comparePrerelease } from "../../../model/version.ts";

const TEXT = /^([+-]?)(\d*)(?:\.(\d*))?((?:[KMGTPE]i)|[numkMGTPE]|[eE][+-]?\d+|)$/;
const DECIMAL: ReadonlyMap<string, number> = new Map([
  ["", 0],
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);
const BINARY = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const MAX_INT64 = 2n ** 63n - 1n;
const NANO_SCALE = 9;
const MAX_EXPONENT = 1_000;
/** Calculating takes longer with each digit. */
const MAX_DIGITS = 1_000;

/** A quantity as Kubernetes parses it; undefined for any other text. */
export function parseQuantity(text: string): QuantityValue | undefined {
  const match = text === "" ? null : TEXT.exec(text);
  if (!match) return undefined;
  if (text.length > MAX_DIGITS) throw new UnsupportedError(`a quantity has more than ${MAX_DIGITS} characters`);
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match;
  const digits = BigInt(`0${whole}${fraction}`);
  const signed = sign === "-" ? -digits : digits;
  const binary = BINARY.indexOf(suffix);
  if (binary >= 0) return parseBinaryQuantity(signed, whole, fraction, binary + 1);
  const power = DECIMAL.get(suffix) ?? Number(suffix.slice(1));
  if (Math.abs(power) > MAX_EXPONENT) throw new UnsupportedError(`the quantity ${text} is beyond the supported range`);
  const scale = fraction.length - power;
  const fits = countDigits(whole, fraction) <= 18 && scale <= NANO_SCALE;
  return fits ? buildQuantity(signed, scale, false) : roundQuantity(signed, scale);
}

/** How many digits Go counts: leading zeros are left out, but one is kept. */
function countDigits(whole: string, fraction: string): number {
  return Math.max(1, whole.replace(/^0+/, "").length) + fraction.length;
}

function parseBinaryQuantity(digits: bigint, whole: string, fraction: string, steps: number): QuantityValue {
  const value = digits * 1_024n ** BigInt(steps);
  const room = 15 - countDigits(whole, "") - Math.trunc(steps * 3) - 1;
  if (fraction === "" && room >= 0 && value <= MAX_INT64 && value >= -MAX_INT64) return buildQuantity(value, 0, false);
  const big = roundQuantity(value, fraction.length);
  const most = MAX_INT64 * 10n ** BigInt(Math.max(0, big.scale));
  if (big.unscaled > most) return buildQuantity(MAX_INT64, 0, true);
  return big.unscaled < -most ? buildQuantity(-MAX_INT64, 0, true) : big;
}

function buildQuantity(unscaled: bigint, scale: number, isBig: boolean): QuantityValue {
  return { kind: "quantity", unscaled, scale, isBig };
}

/** Beyond nanos it is rounded away from zero. */
function roundQuantity(unscaled: bigint, scale: number): QuantityValue {
  if (scale <= NANO_SCALE) return buildQuantity(unscaled, scale, true);
  const factor = 10n ** BigInt(scale - NANO_SCALE);
  const up = unscaled % factor === 0n ? 0n : unscaled > 0n ? 1n : -1n;
  return buildQuantity(unscaled / factor + up, NANO_SCALE, true);
}

function alignScales(a: QuantityValue, b: QuantityValue): readonly [bigint, bigint, number] {
  if (a.scale === b.scale) return [a.unscaled, b.unscaled, a.scale];
  const scale = Math.max(a.scale, b.scale);
  return [a.unscaled * 10n ** BigInt(scale - a.scale), b.unscaled * 10n ** BigInt(scale - b.scale), scale];
}

/** Less than, equal to or greater than zero. */
export function compareQuantities(a: QuantityValue, b: QuantityValue): number {
  const [mine, other] = alignScales(a, b);
  return mine === other ? 0 : mine < other ? -1 : 1;
}

export function addQuantities(a: QuantityValue, b: QuantityValue): QuantityValue {
  if (!a.isBig && !b.isBig && b.unscaled === 0n) return a;
  if (!a.isBig && !b.isBig && a.unscaled === 0n) return b;
  const [mine, other, scale] = alignScales(a, b);
  const sum = mine + other;
  return buildQuantity(sum, scale, a.isBig || b.isBig || sum > MAX_INT64 || sum < -MAX_INT64);
}

/** The least integer has no opposite in 64 bits, and is added instead if the sum has 64 bits. */
export function subtractQuantities(a: QuantityValue, b: QuantityValue): QuantityValue {
  const isLeast = !a.isBig && !b.isBig && b.unscaled === -MAX_INT64 - 1n;
  const added = isLeast ? addQuantities(a, b) : undefined;
  if (added?.isBig === false) return added;
  return addQuantities(a, buildQuantity(-b.unscaled, b.scale, b.isBig || isLeast));
}

export function toQuantity(value: bigint): QuantityValue {
  return buildQuantity(value, 0, false);
}

/** As an int; undefined if it was written with a fraction, even a zero one, or is too large. */
export function toInteger({ unscaled, scale, isBig }: QuantityValue): bigint | undefined {
  if (isBig || scale > 0) return undefined;
  const value = unscaled * 10n ** BigInt(-scale);
  return value > MAX_INT64 || value < -MAX_INT64 - 1n ? undefined : value;
}

export function toApproximateFloat({ unscaled, scale }: QuantityValue): number {
  return scale === 0 ? Number(unscaled) : Number(unscaled) * 10 ** -scale;
}

const NUMBER = /^(?:0|[1-9]\d*)$/;
const MAX_UINT64 = 2n ** 64n;
const UINT64_DIGITS = 20;

/** A semantic version; undefined for any other text. */
export function parseSemver(text: string): SemverValue | undefined {
  const [, major = "", minor = "", rest = ""] = /^(\d+)\.(\d+)\.(.*)$/s.exec(text) ?? [];
  const plus = rest.indexOf("+");
  const build = plus < 0 ? undefined : rest.slice(plus + 1);
  const plain = plus < 0 ? rest : rest.slice(0, plus);
  const dash = plain.indexOf("-");
  const prerelease = dash < 0 ? [] : plain.slice(dash + 1).split(".");
  const parts = [major, minor, dash < 0 ? plain : plain.slice(0, dash)];
  if (!parts.every(isUint64)) return undefined;
  if (
    !prerelease.every(isPrerelease) ||
    (build !== undefined && !build.split(".").every((part) => /^[0-9A-Za-z-]+$/.test(part)))
  )
    return undefined;
  const [a = 0n, b = 0n, c = 0n] = parts.map(BigInt);
  return { kind: "semver", parts: [a, b, c], prerelease };
}

function isUint64(text: string): boolean {
  return text.length <= UINT64_DIGITS && NUMBER.test(text) && BigInt(text) < MAX_UINT64;
}

function isPrerelease(part: string): boolean {
  if (/^\d+$/.test(part)) return isUint64(part);
  return /^[0-9A-Za-z-]+$/.test(part);
}

/** A leading v, leading zeros and missing numbers are tolerated. */
export function parseNormalizedSemver(text: string): SemverValue | undefined {
  const [major = "", minor, ...rest] = (text.startsWith("v") ? text.slice(1) : text).split(".");
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join(".")])];
  const trimmed = parts.map(stripLeadingZeros);
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1) ?? "")) return undefined;
  while (trimmed.length < 3) trimmed.push("0");
  return parseSemver(trimmed.join("."));
}

function stripLeadingZeros(part: string): string {
  if (part.length <= 1) return part;
  const rest = part.replace(/^0+/, "");
  return /^\d/.test(rest) ? rest : `0${rest}`;
}

/** Less than, equal to or greater than zero; build metadata is ignored. */
export function compareVersions(a: SemverValue, b: SemverValue): number {
  for (const i of [0, 1, 2] as const) {
    if (a.parts[i] !== b.parts[i]) return a.parts[i] < b.parts[i] ? -1 : 1;
  }
  return Math.sign(comparePrerelease(a.prerelease, b.prerelease));
}

const NAN = buildError("NaN values cannot be ordered");

/** Less than, equal to or greater than zero, or a failure where two values have no order. */
export function compareValues(a: CelValue, b: CelValue): number | ObjectValue {
  if (typeof a === "string") return typeof b === "string" ? compareText(a, b) : NO_OVERLOAD;
  if (typeof a === "boolean") return typeof b === "boolean" ? Number(a) - Number(b) : NO_OVERLOAD;
  const left = toNumber(a);
  const right = toNumber(b);
  if (left !== undefined) return right === undefined ? NO_OVERLOAD : compareNumbers(left, right);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return NO_OVERLOAD;
  if (a.kind === "timestamp" && b.kind === "timestamp") return a.seconds - b.seconds || a.nanos - b.nanos;
  if (a.kind === "duration" && b.kind === "duration") return compareNumbers(a.nanos, b.nanos);
  if (a.kind === "bytes" && b.kind === "bytes") return Buffer.compare(a.bytes, b.bytes);
  return NO_OVERLOAD;
}

function toNumber(value: CelValue): bigint | number | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return isKind(value, "uint") ? value.value : undefined;
}

/** An int and a double are compared as doubles, as in cel-go. */
export function compareNumbers(a: bigint | number, b: bigint | number): number | ObjectValue {
  if (Number.isNaN(a) || Number.isNaN(b)) return NAN;
  const [left, right] = typeof a === typeof b ? [a, b] : [Number(a), Number(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** By code points, as the bytes of UTF-8 are ordered. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  for (let i = 0; i < a.length && i < b.length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    const areDifferent = isSurrogate(left) !== isSurrogate(right);
    if (areDifferent) return (a.codePointAt(i) ?? 0) - (b.codePointAt(i) ?? 0);
    return left - right;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}
