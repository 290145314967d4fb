import type { Random } from "../random/random.ts";

/** Picks an item of a non-empty list, whose items may be undefined. */
export function choice<T>(random: Random, from: readonly T[]): T {
  for (const found of from.slice(random.below(from.length))) return found;
  throw new RangeError("nothing to choose from");
}
