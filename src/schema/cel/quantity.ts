import { NotJudged, type Quantity } from "./value.ts";

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
const GREATEST = 2n ** 63n - 1n;
const NANO = 9;
const MOST_POWER = 1_000;

/** A quantity as Kubernetes reads it; undefined where it is none. */
export function parseQuantity(text: string): Quantity | undefined {
  const found = text === "" ? null : TEXT.exec(text);
  if (!found) return undefined;
  const [, sign = "", whole = "", fraction = "", suffix = ""] = found;
  const digits = BigInt(`0${whole}${fraction}`);
  const signed = sign === "-" ? -digits : digits;
  const binary = BINARY.indexOf(suffix);
  if (binary >= 0) return ofBinary(signed, whole, fraction, binary + 1);
  const power = DECIMAL.get(suffix) ?? Number(suffix.slice(1));
  if (Math.abs(power) > MOST_POWER) throw new NotJudged(`the quantity ${text} is beyond what is calculated here`);
  const scale = fraction.length - power;
  const fits = significant(whole, fraction) <= 18 && scale <= NANO;
  return fits ? quantity(signed, scale, false) : rounded(signed, scale);
}

/** How many digits Go counts: leading zeros are left out, but one is kept. */
function significant(whole: string, fraction: string): number {
  return Math.max(1, whole.replace(/^0+/, "").length) + fraction.length;
}

function ofBinary(digits: bigint, whole: string, fraction: string, steps: number): Quantity {
  const value = digits * 1_024n ** BigInt(steps);
  const room = 15 - significant(whole, "") - Math.trunc(steps * 3) - 1;
  if (fraction === "" && room >= 0 && value <= GREATEST && value >= -GREATEST) return quantity(value, 0, false);
  const big = rounded(value, fraction.length);
  const most = GREATEST * 10n ** BigInt(Math.max(0, big.scale));
  if (big.unscaled > most) return quantity(GREATEST, 0, true);
  return big.unscaled < -most ? quantity(-GREATEST, 0, true) : big;
}

function quantity(unscaled: bigint, scale: number, isBig: boolean): Quantity {
  return { kind: "quantity", unscaled, scale, isBig };
}

/** Beyond nanos it is rounded away from zero. */
function rounded(unscaled: bigint, scale: number): Quantity {
  if (scale <= NANO) return quantity(unscaled, scale, true);
  const factor = 10n ** BigInt(scale - NANO);
  const up = unscaled % factor === 0n ? 0n : unscaled > 0n ? 1n : -1n;
  return quantity(unscaled / factor + up, NANO, true);
}

function aligned(a: Quantity, b: Quantity): readonly [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [a.unscaled * 10n ** BigInt(scale - a.scale), b.unscaled * 10n ** BigInt(scale - b.scale), scale];
}

/** Less than, equal to or greater than zero. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const [mine, other] = aligned(a, b);
  return mine === other ? 0 : mine < other ? -1 : 1;
}

export function addQuantities(a: Quantity, b: Quantity): Quantity {
  if (!a.isBig && !b.isBig && b.unscaled === 0n) return a;
  if (!a.isBig && !b.isBig && a.unscaled === 0n) return b;
  const [mine, other, scale] = aligned(a, b);
  const sum = mine + other;
  return quantity(sum, scale, a.isBig || b.isBig || sum > GREATEST || sum < -GREATEST);
}

export function negatedQuantity(a: Quantity): Quantity {
  return quantity(-a.unscaled, a.scale, a.isBig);
}

export function quantityOf(value: bigint): Quantity {
  return quantity(value, 0, false);
}

/** As an int; undefined where it was written with a fraction or is too great, even if it is whole. */
export function wholeQuantity({ unscaled, scale, isBig }: Quantity): bigint | undefined {
  if (isBig || scale > 0) return undefined;
  const value = unscaled * 10n ** BigInt(-scale);
  return value > GREATEST || value < -GREATEST - 1n ? undefined : value;
}

export function approximate({ unscaled, scale }: Quantity): number {
  return scale === 0 ? Number(unscaled) : Number(unscaled) * 10 ** -scale;
}
