import { type KeyObject, constants, verify } from "node:crypto";
import { FailedError } from "../../../model/errors.ts";
import { type ByteReader, createByteReader, readLength } from "./openpgp-packets.ts";

/** What a signature packet says, and what it signs besides the data. */
export type SignaturePacket = {
  readonly type: number;
  readonly hash: number;
  /** Of the signing key, 16 hexadecimal digits. */
  readonly keyId: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly lifetimeSeconds?: number;
  readonly keyFlags?: number;
  /** The signature of a subkey that it belongs to the key. */
  readonly embedded?: Buffer;
  readonly trailer: Buffer;
  readonly value: Buffer;
};

export const SIGNATURE_TYPE = {
  binary: 0x00,
  text: 0x01,
  certifications: [0x10, 0x11, 0x12, 0x13],
  subkeyBinding: 0x18,
  primaryKeyBinding: 0x19,
  keyRevocation: 0x20,
  subkeyRevocation: 0x28,
} as const;

const RSA_ALGORITHMS = [1, 3];
const HASHES: ReadonlyMap<number, string> = new Map([
  [8, "sha256"],
  [9, "sha384"],
  [10, "sha512"],
]);
/** Old keys certify themselves with SHA-1. That is what they are trusted for anyway, since the cluster names the key. */
const SHA1 = 2;

/** Parses a signature packet of version 3 or 4. Throws a FailedError for others, and for algorithms other than RSA. */
export function parseSignature(body: Buffer): SignaturePacket {
  const reader = createByteReader(body);
  const version = reader.byte();
  if (version === 3) return parseVersion3(reader);
  if (version === 4) return parseVersion4(reader, body);
  throw new FailedError(`its signature has the version ${version}, which is not supported`);
}

function parseVersion3(reader: ByteReader): SignaturePacket {
  reader.byte();
  const trailer = reader.bytes(5);
  const keyId = reader.bytes(8).toString("hex");
  const hash = readAlgorithms(reader);
  reader.bytes(2);
  return { type: trailer[0] ?? 0, hash, keyId, created: trailer.readUInt32BE(1), trailer, value: reader.integer() };
}

function parseVersion4(reader: ByteReader, body: Buffer): SignaturePacket {
  const type = reader.byte();
  const hash = readAlgorithms(reader);
  const hashed = parseSubpackets(reader.bytes(reader.number(2)), true);
  const hashedLength = body.length - reader.left();
  const unhashed = parseSubpackets(reader.bytes(reader.number(2)), false);
  reader.bytes(2);
  const length = Buffer.alloc(6);
  length.set([4, 0xff]);
  length.writeUInt32BE(hashedLength, 2);
  const keyId = hashed.keyId ?? unhashed.keyId;
  if (keyId === undefined || hashed.created === undefined) throw new FailedError("its signature names no key or time");
  const { created, lifetimeSeconds, keyFlags } = hashed;
  return {
    type,
    hash,
    keyId,
    created,
    lifetimeSeconds,
    keyFlags,
    embedded: hashed.embedded ?? unhashed.embedded,
    trailer: Buffer.concat([body.subarray(0, hashedLength), length]),
    value: reader.integer(),
  };
}

function readAlgorithms(reader: ByteReader): number {
  const algorithm = reader.byte();
  if (!RSA_ALGORITHMS.includes(algorithm))
    throw new FailedError(`its signature has the algorithm ${algorithm}, and only RSA is supported`);
  return reader.byte();
}

type Subpackets = {
  keyId?: string;
  created?: number;
  lifetimeSeconds?: number;
  keyFlags?: number;
  embedded?: Buffer;
};

const SUBPACKET = { created: 2, lifetime: 3, issuer: 16, keyFlags: 27, embedded: 32, issuerFingerprint: 33 } as const;
/** Those that don't change what a signature of data means: preferences, features, names, policies. */
const HARMLESS = new Set([9, 11, 21, 22, 23, 24, 25, 26, 28, 30, 34]);

function parseSubpackets(bytes: Buffer, isHashed: boolean): Subpackets {
  const found: Subpackets = {};
  const reader = createByteReader(bytes);
  while (reader.left() > 0) {
    const content = reader.bytes(readLength(reader.byte(), reader));
    const head = content[0] ?? 0;
    const data = content.subarray(1);
    const type = head & 0x7f;
    if (!addSubpacket(type, data, found) && isHashed && head >= 0x80 && !HARMLESS.has(type))
      throw new FailedError(`its signature has a critical part that is not supported (${type})`);
  }
  return found;
}

function addSubpacket(type: number, data: Buffer, found: Subpackets): boolean {
  const reader = createByteReader(data);
  switch (type) {
    case SUBPACKET.created:
      found.created = reader.number(4);
      return true;
    case SUBPACKET.lifetime:
      found.lifetimeSeconds = reader.number(4);
      return true;
    case SUBPACKET.issuer:
      found.keyId = reader.bytes(8).toString("hex");
      return true;
    case SUBPACKET.issuerFingerprint:
      if (data[0] === 4) found.keyId ??= data.subarray(-8).toString("hex");
      return true;
    case SUBPACKET.keyFlags:
      found.keyFlags = data[0] ?? 0;
      return true;
    case SUBPACKET.embedded:
      found.embedded = data;
      return true;
    default:
      return false;
  }
}

/** Whether a key made the signature over data. `isOfKey`: over a key, where SHA-1 counts too. */
export function verifySignature(
  signature: SignaturePacket,
  data: readonly Buffer[],
  key: KeyObject,
  isOfKey = false,
): boolean {
  const hash = isOfKey && signature.hash === SHA1 ? "sha1" : HASHES.get(signature.hash);
  if (hash === undefined) return false;
  const size = (key.asymmetricKeyDetails?.modulusLength ?? 0) >> 3;
  if (signature.value.length > size) return false;
  // An integer has no leading zeros, but Node expects the whole length of the modulus.
  const value = Buffer.concat([Buffer.alloc(size - signature.value.length), signature.value]);
  const content = Buffer.concat([...data, signature.trailer]);
  return verify(hash, content, { key, padding: constants.RSA_PKCS1_PADDING }, value);
}
