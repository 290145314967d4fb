import type { Random } from "../differential/random.ts";

/** One of a list that is not empty, and that may hold nothing at a place. */
export function choice<T>(random: Random, from: readonly T[]): T {
  for (const found of from.slice(random.below(from.length))) return found;
  throw new RangeError("nothing to choose from");
}
