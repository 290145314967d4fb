import { randomInt } from "node:crypto";
import { hashText } from "../../model/text.ts";

/** Tells whether a text was added before. Two different texts of a million look equal once in some 18,000 lists, never the other way. */
export type TextSet = { readonly add: (text: string) => boolean };

const FIRST_SIZE = 64;
/** Differs from process to process, so that nobody can choose names that look equal. */
const SEED = randomInt(2 ** 32);

/** Holds a hash of 53 bits of each text, 16 MiB for a million, where the texts would take ten times as much. `add` returns false for a text that was added before. */
export function createTextSet(): TextSet {
  let slots = new Float64Array(FIRST_SIZE);
  let count = 0;
  return {
    add(text) {
      if (!insert(slots, computeHash(text))) return false;
      count += 1;
      if (count * 4 > slots.length * 3) slots = grow(slots);
      return true;
    },
  };
}

/** Open addressing: 0 marks a free slot. */
function insert(slots: Float64Array, hash: number): boolean {
  const last = slots.length - 1;
  let slot = hash % slots.length;
  for (;;) {
    const present = slots[slot];
    if (present === hash) return false;
    if (present === 0) {
      slots[slot] = hash;
      return true;
    }
    slot = slot === last ? 0 : slot + 1;
  }
}

function grow(slots: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(slots.length * 2);
  for (const hash of slots) if (hash !== 0) insert(larger, hash);
  return larger;
}

/** 53 bits; never 0. */
function computeHash(text: string): number {
  const [low, high] = hashText(text, SEED);
  return (high >>> 11) * 2 ** 32 + low || 1;
}
