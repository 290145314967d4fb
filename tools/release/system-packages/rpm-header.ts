/** A value of a header: its type by the format's number, how many it has, and its bytes at an offset that `alignment` divides. */
type RpmValue = {
  readonly type: number;
  readonly count: number;
  readonly bytes: Buffer;
  readonly alignment: number;
};
/** A tag by the format's number, and its value. */
export type RpmTag = readonly [tag: number, value: RpmValue];

export const int16 = (values: readonly number[]): RpmValue => buildNumbers(3, values, 2);
export const int32 = (values: readonly number[]): RpmValue => buildNumbers(4, values, 4);
export const string = (text: string): RpmValue => buildTexts(6, [text]);
export const binary = (bytes: Buffer): RpmValue => ({ type: 7, count: bytes.length, bytes, alignment: 1 });
export const strings = (texts: readonly string[]): RpmValue => buildTexts(8, texts);
/** A text in the languages of tag 100. */
export const i18n = (text: string): RpmValue => buildTexts(9, [text]);

function buildNumbers(type: number, values: readonly number[], size: number): RpmValue {
  const bytes = Buffer.alloc(values.length * size);
  for (const [i, value] of values.entries()) bytes.writeUIntBE(value, i * size, size);
  return { type, count: values.length, bytes, alignment: size };
}

function buildTexts(type: number, texts: readonly string[]): RpmValue {
  return { type, count: texts.length, bytes: Buffer.from(texts.map((text) => `${text}\0`).join("")), alignment: 1 };
}

const ENTRY_BYTES = 16;

/**
 * A header of an RPM package: an index of tags, and their values. `region`: the tag under which the header says that all of it belongs
 * together, whose entry comes first in the index, and whose value comes last.
 */
export function packRpmHeader(region: number, tags: readonly RpmTag[]): Buffer {
  const index: Buffer[] = [];
  const store: Buffer[] = [];
  let offset = 0;
  for (const [tag, { type, count, bytes, alignment }] of tags.toSorted(([a], [b]) => a - b)) {
    const padding = (alignment - (offset % alignment)) % alignment;
    index.push(packEntry([tag, type, offset + padding, count]));
    store.push(Buffer.alloc(padding), bytes);
    offset += padding + bytes.length;
  }
  // The offset in the region's value leads back over the whole index.
  store.push(packEntry([region, 7, -ENTRY_BYTES * (tags.length + 1), ENTRY_BYTES]));
  index.unshift(packEntry([region, 7, offset, ENTRY_BYTES]));
  const start = packEntry([0x8eade801 | 0, 0, index.length, offset + ENTRY_BYTES]);
  return Buffer.concat([start, ...index, ...store]);
}

function packEntry(numbers: readonly number[]): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES);
  for (const [i, number] of numbers.entries()) entry.writeInt32BE(number, i * 4);
  return entry;
}
