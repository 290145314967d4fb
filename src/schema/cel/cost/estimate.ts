/** The least and the most of a size or a cost. Costs are counted in 64 bits and stop at the largest number. */
export type Range = { readonly min: number; readonly max: number };

export const LARGEST = 2 ** 64;
const LARGEST_BITS = 2n ** 64n - 1n;

export const UNKNOWN_SIZE: Range = { min: 0, max: LARGEST };
export const ZERO: Range = { min: 0, max: 0 };
export const ONE: Range = { min: 1, max: 1 };

export function fixed(size: number): Range {
  return { min: size, max: size };
}

function capped(value: number): number {
  return Math.min(value, LARGEST);
}

export function add(...ranges: readonly Range[]): Range {
  return ranges.reduce((sum, { min, max }) => ({ min: capped(sum.min + min), max: capped(sum.max + max) }), ZERO);
}

export function multiply(a: Range, b: Range): Range {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** Times a factor, rounded up. */
export function scale({ min, max }: Range, factor: number): Range {
  return { min: capped(Math.ceil(min * factor)), max: capped(Math.ceil(max * factor)) };
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** The result truncated to 64 bits. */
export function wrapped(value: bigint): number {
  const bits = BigInt.asUintN(64, value);
  return bits === LARGEST_BITS ? LARGEST : Number(bits);
}

export function asBits(size: number): bigint {
  return size >= LARGEST ? LARGEST_BITS : BigInt(size);
}
