/** A place in DER, the binary form of certificates. */
export type DerReader = { readonly der: Buffer; place: number };

export type DerElement = { readonly tag: number; readonly content: Buffer; readonly whole: Buffer };

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectId: 0x06,
  sequence: 0x30,
  set: 0x31,
  utcTime: 0x17,
  generalizedTime: 0x18,
} as const;

/** An absent element reads as an empty one. */
export function createDerReader(der: Buffer = Buffer.of()): DerReader {
  return { der, place: 0 };
}

export function isAtEnd({ der, place }: DerReader): boolean {
  return place >= der.length;
}

/** The next element; undefined if it is malformed. As DER requires, a length has no byte more than it needs. */
export function takeAny(reader: DerReader): DerElement | undefined {
  const { der, place } = reader;
  const tag = der[place] ?? 0;
  const first = der[place + 1] ?? 0x80;
  const bytes = first < 0x80 ? 0 : first - 0x80;
  const start = place + 2 + bytes;
  const isLong = first >= 0x80;
  if ((tag & 0x1f) === 0x1f || (isLong && (bytes < 1 || bytes > 4)) || start > der.length) return undefined;
  const length = isLong ? der.readUIntBE(place + 2, bytes) : first;
  const isShortest = !isLong || (length >= 0x80 && length >= 256 ** (bytes - 1));
  const end = start + length;
  if (!isShortest || end > der.length) return undefined;
  reader.place = end;
  return { tag, content: der.subarray(start, end), whole: der.subarray(place, end) };
}

export function isNext({ der, place }: DerReader, tag: number): boolean {
  return der[place] === tag;
}

/** The next element if it has this tag. */
export function take(reader: DerReader, tag: number): DerElement | undefined {
  return isNext(reader, tag) ? takeAny(reader) : undefined;
}

/** The next elements by their tags; one that is not there is undefined. */
export function takeEach(reader: DerReader, ...tags: readonly number[]): readonly (DerElement | undefined)[] {
  return tags.map((tag) => take(reader, tag));
}
