/** Random choices that are reproducible from a seed. */
export type Random = {
  /** From 0 up to but not including 1. */
  readonly next: () => number;
  /** An integer from 0 up to but not including `limit`. */
  readonly below: (limit: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(from: readonly [T, ...T[]]) => T;
  /** An item of a list that may be empty. */
  readonly oneOf: <T>(from: readonly T[]) => T | undefined;
};

/** The mulberry32 generator. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (from) => from[below(from.length)] ?? from[0],
    oneOf: (from) => from[below(from.length)],
  };
}
