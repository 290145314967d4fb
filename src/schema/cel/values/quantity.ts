import { UnsupportedError, type QuantityValue } from "./value.ts";

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

/** A quantity as Kubernetes parses it; undefined for any other text. */
export function parseQuantity(text: string): QuantityValue | undefined {
  const match = text === "" ? null : TEXT.exec(text);
  if (!match) return undefined;
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
