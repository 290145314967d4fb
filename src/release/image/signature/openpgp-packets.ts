import { inflateRawSync, inflateSync } from "node:zlib";
import { FailedError } from "../../../model/errors.ts";

/** A packet of OpenPGP (RFC 4880, section 4). */
export type Packet = { readonly tag: number; readonly body: Buffer };

export const TAG = {
  signature: 2,
  onePassSignature: 4,
  publicKey: 6,
  compressedData: 8,
  marker: 10,
  literalData: 11,
  trust: 12,
  userId: 13,
  publicSubkey: 14,
} as const;

const MAX_DECOMPRESSED_BYTES = 1 << 20;

/** Parses binary packets. Throws a FailedError if the bytes are none. */
export function parsePackets(bytes: Buffer): readonly Packet[] {
  const packets: Packet[] = [];
  const reader = createByteReader(bytes);
  while (reader.left() > 0) packets.push(readPacket(reader));
  return packets.filter(({ tag }) => tag !== TAG.marker);
}

function readPacket(reader: ByteReader): Packet {
  const header = reader.byte();
  if ((header & 0x80) === 0) throw new FailedError("it is not in the OpenPGP format");
  if ((header & 0x40) !== 0) return { tag: header & 0x3f, body: readNewBody(reader) };
  const lengthType = header & 3;
  const length = lengthType === 3 ? reader.left() : reader.number(1 << lengthType);
  return { tag: (header >> 2) & 0xf, body: reader.bytes(length) };
}

/** The body of a packet in the new format, whose length may come in parts. */
function readNewBody(reader: ByteReader): Buffer {
  const parts: Buffer[] = [];
  for (;;) {
    const first = reader.byte();
    const isPartial = first >= 224 && first < 255;
    parts.push(reader.bytes(isPartial ? 1 << (first & 0x1f) : readLength(first, reader)));
    if (!isPartial) return Buffer.concat(parts);
  }
}

/** The length of a packet in the new format, or of a subpacket. */
export function readLength(first: number, reader: ByteReader): number {
  if (first < 192) return first;
  return first < 255 ? ((first - 192) << 8) + reader.byte() + 192 : reader.number(4);
}

/** The packets of a message, decompressed if it is compressed. */
export function parseMessage(bytes: Buffer): readonly Packet[] {
  const packets = parsePackets(bytes);
  const [first] = packets;
  if (first?.tag !== TAG.compressedData || packets.length !== 1) return packets;
  return parsePackets(decompress(first.body));
}

function decompress(body: Buffer): Buffer {
  const algorithm = body[0];
  const data = body.subarray(1);
  const options = { maxOutputLength: MAX_DECOMPRESSED_BYTES };
  try {
    if (algorithm === 0) return data;
    if (algorithm === 1) return inflateRawSync(data, options);
    if (algorithm === 2) return inflateSync(data, options);
  } catch {
    throw new FailedError("its compressed content is damaged");
  }
  throw new FailedError(`it is compressed in a way that is not supported (${algorithm ?? "none"})`);
}

/** Reads numbers and bytes one after another; throws a FailedError beyond the end. */
export type ByteReader = {
  readonly left: () => number;
  readonly byte: () => number;
  /** A big-endian number of so many bytes. */
  readonly number: (bytes: number) => number;
  readonly bytes: (length: number) => Buffer;
  /** A multiprecision integer, without leading zeros. */
  readonly integer: () => Buffer;
};

export function createByteReader(source: Buffer): ByteReader {
  let offset = 0;
  const bytes = (length: number): Buffer => {
    if (offset + length > source.length) throw new FailedError("it ends early");
    offset += length;
    return source.subarray(offset - length, offset);
  };
  const number = (length: number): number => bytes(length).readUIntBE(0, length);
  return {
    left: () => source.length - offset,
    byte: () => number(1),
    number,
    bytes,
    integer: () => bytes((number(2) + 7) >> 3),
  };
}

/** The content of ASCII armor (`-----BEGIN PGP ...-----`), or the bytes themselves if they have none. */
export function removeArmor(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [];
  let block: ArmorBlock | undefined;
  // Line by line: an expression over the whole text takes as long as its square.
  for (const line of bytes.toString("latin1").split(/\r?\n/)) {
    block = (block && addArmorLine(block, line)) ?? (BEGIN.test(line) ? { isInContent: false, parts: [] } : undefined);
    if (block?.isAtEnd !== true) continue;
    blocks.push(Buffer.from(block.parts.join(""), "base64"));
    block = undefined;
  }
  return blocks.length === 0 ? bytes : Buffer.concat(blocks);
}

type ArmorBlock = { readonly isInContent: boolean; readonly parts: string[]; readonly isAtEnd?: boolean };

const BEGIN = /-----BEGIN PGP [A-Z ]+-----$/;
const END = "-----END PGP ";

/** Undefined if the block can't have this line: then it is none. */
function addArmorLine({ isInContent, parts }: ArmorBlock, line: string): ArmorBlock | undefined {
  if (!isInContent) {
    const isBlank = line.trim() === "";
    return isBlank || line.indexOf(": ") > 0 ? { isInContent: isBlank, parts } : undefined;
  }
  const end = line.indexOf(END);
  const part = end < 0 ? line : line.slice(0, end);
  if (!/^[\sA-Za-z0-9+/=]*$/.test(part)) return undefined;
  // A line that begins with "=" is the armor's checksum, which OpenPGP no longer asks to verify.
  if (!part.startsWith("=")) parts.push(part);
  return { isInContent, parts, isAtEnd: end >= 0 };
}
