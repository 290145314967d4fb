/** Two hashes of 32 bits, mixed as in MurmurHash3: texts are known by them where there are so many that the texts would take several times as much. */
export function hashText(text: string, seed = 0): readonly [number, number] {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return [a >>> 0, b >>> 0];
}

/** Numbers above 0 by text; 0 for a text that has none. */
export type TextTable = {
  readonly set: (text: string, value: number) => void;
  readonly get: (text: string) => number;
};

/** Three words for each entry, with open addressing: a Map takes three times as much for 100,000 of them, and the texts several times. */
export function createTextTable(): TextTable {
  let slots = new Uint32Array(3 * 1024);
  let count = 0;
  const set = (text: string, value: number): void => {
    if (count * 3 > slots.length * 0.7) slots = grow(slots);
    const hash = hashText(text);
    const slot = findSlot(slots, hash);
    if (slots[slot + 2] === 0) count += 1;
    slots.set([...hash, value], slot);
  };
  return { set, get: (text) => slots[findSlot(slots, hashText(text)) + 2] ?? 0 };
}

/** The entry of the hash, or a free one. */
function findSlot(slots: Uint32Array, [a, b]: ReturnType<typeof hashText>): number {
  let slot = (a % (slots.length / 3)) * 3;
  while (slots[slot + 2] !== 0 && (slots[slot] !== a || slots[slot + 1] !== b)) slot = (slot + 3) % slots.length;
  return slot;
}

function grow(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(slots.length * 2);
  for (let i = 0; i < slots.length; i += 3) {
    const [a = 0, b = 0, value = 0] = slots.subarray(i, i + 3);
    if (value !== 0) larger.set([a, b, value], findSlot(larger, [a, b]));
  }
  return larger;
}
