import { type KeyObject, type KeyPairKeyObjectResult, createHash, generateKeyPairSync, sign } from "node:crypto";

/** A key with which tests sign releases as `gpg --sign` does. */
export type TestKey = {
  readonly keyring: Buffer;
  readonly sign: (content: string, changes?: SignatureChanges) => Buffer;
};
/** What a signature has that it should not, or lacks. */
export type SignatureChanges = {
  readonly hash?: "sha1" | "sha256" | "sha512";
  readonly type?: number;
  readonly version?: 3 | 4;
  readonly created?: number;
  readonly lifetimeSeconds?: number;
  readonly criticalSubpacket?: number;
};

const HASH_NUMBERS = { sha1: 2, sha256: 8, sha512: 10 };
const RSA = 1;
const CREATED = 1_700_000_000;
const FLAG_CERTIFY = 1;
const FLAG_SIGN = 2;

/** The key pairs of this process, by owner and length: making one takes up to half a second. */
const pairs = new Map<string, KeyPairKeyObjectResult>();

/** An owner's RSA key; without `maySign`, its certification allows it only to certify. */
export function createTestKey(owner: string, maySign = true, bits = 2048): TestKey {
  const name = `${owner} ${bits}`;
  const pair = pairs.get(name) ?? generateKeyPairSync("rsa", { modulusLength: bits });
  pairs.set(name, pair);
  const { publicKey, privateKey } = pair;
  const { n = "", e = "" } = publicKey.export({ format: "jwk" });
  const body = Buffer.concat([
    Buffer.from([4]),
    toNumber(CREATED, 4),
    Buffer.from([RSA]),
    toInteger(Buffer.from(n, "base64url")),
    toInteger(Buffer.from(e, "base64url")),
  ]);
  const hashed = Buffer.concat([Buffer.from([0x99]), toNumber(body.length, 2), body]);
  const keyId = createHash("sha1").update(hashed).digest().subarray(-8);
  const user = Buffer.from(owner);
  const flags = toSubpacket(27, Buffer.from([FLAG_CERTIFY | (maySign ? FLAG_SIGN : 0)]));
  const certified = Buffer.concat([hashed, Buffer.from([0xb4]), toNumber(user.length, 4), user]);
  const certification = buildSignature(certified, privateKey, keyId, { type: 0x13, hash: "sha1" }, flags);
  return {
    keyring: Buffer.concat([toPacket(6, body), toPacket(13, user), toPacket(2, certification)]),
    sign: (content, changes = {}) => buildMessage(Buffer.from(content), privateKey, keyId, changes),
  };
}

function buildMessage(content: Buffer, key: KeyObject, keyId: Buffer, changes: SignatureChanges): Buffer {
  const { hash = "sha256", type = 0 } = changes;
  const onePass = Buffer.concat([Buffer.from([3, type, HASH_NUMBERS[hash], RSA]), keyId, Buffer.from([1])]);
  const literal = Buffer.concat([Buffer.from("b\0"), toNumber(CREATED, 4), content]);
  const signature = buildSignature(content, key, keyId, changes, Buffer.alloc(0));
  return Buffer.concat([toPacket(4, onePass), toPacket(11, literal), toPacket(2, signature)]);
}

function buildSignature(data: Buffer, key: KeyObject, keyId: Buffer, changes: SignatureChanges, more: Buffer): Buffer {
  const { hash = "sha256", type = 0, created = CREATED, lifetimeSeconds, criticalSubpacket, version = 4 } = changes;
  const number = HASH_NUMBERS[hash];
  if (version === 3) {
    const trailer = Buffer.concat([Buffer.from([type]), toNumber(created, 4)]);
    const head = Buffer.concat([Buffer.from([3, 5]), trailer, keyId, Buffer.from([RSA, number, 0, 0])]);
    return Buffer.concat([head, toInteger(sign(hash, Buffer.concat([data, trailer]), key))]);
  }
  const subpackets = Buffer.concat([
    toSubpacket(2, toNumber(created, 4)),
    ...(lifetimeSeconds === undefined ? [] : [toSubpacket(3, toNumber(lifetimeSeconds, 4))]),
    ...(criticalSubpacket === undefined ? [] : [toSubpacket(0x80 | criticalSubpacket, Buffer.from([0]))]),
    more,
  ]);
  const head = Buffer.concat([Buffer.from([4, type, RSA, number]), toNumber(subpackets.length, 2), subpackets]);
  const trailer = Buffer.concat([head, Buffer.from([4, 0xff]), toNumber(head.length, 4)]);
  const issuer = toSubpacket(16, keyId);
  const value = toInteger(sign(hash, Buffer.concat([data, trailer]), key));
  return Buffer.concat([head, toNumber(issuer.length, 2), issuer, Buffer.from([0, 0]), value]);
}

function toNumber(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

/** Without leading zeros, after its length in bits. */
function toInteger(value: Buffer): Buffer {
  const start = value.findIndex((byte) => byte !== 0);
  const digits = value.subarray(start);
  return Buffer.concat([toNumber(digits.length * 8 - Math.clz32(digits[0] ?? 0) + 24, 2), digits]);
}

function toSubpacket(type: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([data.length + 1, type]), data]);
}

function toPacket(tag: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc0 | tag, 0xff]), toNumber(body.length, 4), body]);
}

/** What a release's signature says. */
export function buildClaim(digest: string, changes: object = {}): string {
  const critical = {
    type: "atomic container signature",
    image: { "docker-manifest-digest": digest },
    identity: { "docker-reference": "quay.io/ocp/release:4.19.3" },
  };
  return JSON.stringify({ critical, optional: { creator: "preflight" }, ...changes });
}
