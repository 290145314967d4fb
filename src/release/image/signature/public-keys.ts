import { type KeyObject, createHash, createPublicKey } from "node:crypto";
import { FailedError } from "../../../model/errors.ts";
import { type Packet, TAG, createByteReader, parsePackets, removeArmor } from "./openpgp-packets.ts";
import { SIGNATURE_TYPE, type SignaturePacket, parseSignature, verifySignature } from "./signature-packet.ts";

/** A key that may sign data. */
export type SigningKey = {
  /** 16 hexadecimal digits. */
  readonly keyId: string;
  /** Of the primary key, which is the one that is published. */
  readonly fingerprint: string;
  /** "Red Hat, Inc. (release key 2) <security@redhat.com>" */
  readonly owner: string;
  readonly key: KeyObject;
};

type PublicKey = {
  readonly fingerprint: string;
  readonly keyId: string;
  readonly key: KeyObject;
  readonly hashed: Buffer;
};

const MIN_MODULUS_BITS = 2048;
const RSA_SIGNING_ALGORITHMS = [1, 3];
const FLAG_SIGN = 0x02;

/**
 * The keys of a keyring, armored or binary, that may sign data by their own certifications, as the cluster-version operator's library
 * judges them: revoked ones may not, and expiry does not count. Keys other than RSA are left out.
 */
export function parseKeyring(bytes: Buffer): readonly SigningKey[] {
  return splitEntities(parsePackets(removeArmor(bytes))).flatMap(parseEntity);
}

function splitEntities(packets: readonly Packet[]): readonly (readonly Packet[])[] {
  const entities: Packet[][] = [];
  for (const packet of packets) {
    if (packet.tag === TAG.publicKey) entities.push([packet]);
    else entities.at(-1)?.push(packet);
  }
  return entities;
}

/** A component of an entity (its key, a user ID, a subkey) with the signatures that follow it. */
type Component = { readonly packet: Packet; readonly signatures: readonly SignaturePacket[] };

function parseEntity(packets: readonly Packet[]): readonly SigningKey[] {
  const [primary, ...others] = splitComponents(packets);
  const key = primary && parsePublicKey(primary.packet.body);
  if (!primary || !key || isRevoked(primary, [key.hashed], key, SIGNATURE_TYPE.keyRevocation)) return [];
  const userIds = others.filter(({ packet }) => packet.tag === TAG.userId);
  const certified = userIds.flatMap((component) => {
    const latest = selectLatest(component.signatures.filter((one) => isCertification(one, component, key)));
    return latest ? [{ owner: component.packet.body.toString("utf8"), certification: latest }] : [];
  });
  const [first] = certified;
  if (!first) return [];
  const mayPrimarySign = certified.some(({ certification }) => hasSignFlag(certification));
  const subkeys = others
    .filter(({ packet }) => packet.tag === TAG.publicSubkey)
    .flatMap((one) => parseSubkey(one, key));
  return [...(mayPrimarySign ? [key] : []), ...subkeys].map(({ keyId, key: usable }) => ({
    keyId,
    fingerprint: key.fingerprint,
    owner: first.owner,
    key: usable,
  }));
}

function splitComponents(packets: readonly Packet[]): readonly Component[] {
  const components: { packet: Packet; signatures: SignaturePacket[] }[] = [];
  for (const packet of packets) {
    if (packet.tag === TAG.signature) components.at(-1)?.signatures.push(...tryParseSignature(packet.body));
    else if (packet.tag !== TAG.trust) components.push({ packet, signatures: [] });
  }
  return components;
}

/** Certifications by other people may have any algorithm, and don't count. */
function tryParseSignature(body: Buffer): readonly SignaturePacket[] {
  try {
    return [parseSignature(body)];
  } catch (thrown) {
    if (thrown instanceof FailedError) return [];
    throw thrown;
  }
}

function parsePublicKey(body: Buffer): PublicKey | undefined {
  const reader = createByteReader(body);
  const version = reader.byte();
  reader.bytes(4);
  if (version !== 4 || !RSA_SIGNING_ALGORITHMS.includes(reader.byte())) return undefined;
  const n = reader.integer().toString("base64url");
  const e = reader.integer().toString("base64url");
  const key = tryCreateKey(n, e);
  if (!key || (key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_MODULUS_BITS) return undefined;
  const hashed = withLength(0x99, body, 2);
  const fingerprint = createHash("sha1").update(hashed).digest("hex");
  return { fingerprint, keyId: fingerprint.slice(-16), key, hashed };
}

/** Node refuses numbers that can't be a key. */
function tryCreateKey(n: string, e: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty: "RSA", n, e }, format: "jwk" });
  } catch {
    return undefined;
  }
}

/** A key or a user ID as a signature over it hashes it. */
function withLength(mark: number, body: Buffer, lengthBytes: number): Buffer {
  const head = Buffer.alloc(1 + lengthBytes);
  head[0] = mark;
  head.writeUIntBE(body.length, 1, lengthBytes);
  return Buffer.concat([head, body]);
}

function isCertification(signature: SignaturePacket, { packet }: Component, by: PublicKey): boolean {
  const isOfUser = SIGNATURE_TYPE.certifications.some((type) => type === signature.type);
  return (
    isOfUser &&
    signature.keyId === by.keyId &&
    verifySignature(signature, [by.hashed, withLength(0xb4, packet.body, 4)], by.key, true)
  );
}

function isRevoked({ signatures }: Component, data: readonly Buffer[], by: PublicKey, type: number): boolean {
  return signatures.some(
    (one) => one.type === type && one.keyId === by.keyId && verifySignature(one, data, by.key, true),
  );
}

function selectLatest(signatures: readonly SignaturePacket[]): SignaturePacket | undefined {
  return signatures.toSorted((a, b) => b.created - a.created)[0];
}

function hasSignFlag({ keyFlags = 0 }: SignaturePacket): boolean {
  return (keyFlags & FLAG_SIGN) !== 0;
}

/** A subkey may sign if the key says so, and the subkey itself that it belongs to the key. */
function parseSubkey(component: Component, primary: PublicKey): readonly PublicKey[] {
  const subkey = parsePublicKey(component.packet.body);
  if (!subkey) return [];
  const data = [primary.hashed, subkey.hashed];
  if (isRevoked(component, data, primary, SIGNATURE_TYPE.subkeyRevocation)) return [];
  const bindings = component.signatures.filter(
    (one) => one.type === SIGNATURE_TYPE.subkeyBinding && verifySignature(one, data, primary.key, true),
  );
  const binding = selectLatest(bindings);
  const [proof] = binding?.embedded ? tryParseSignature(binding.embedded) : [];
  const isProven = proof?.type === SIGNATURE_TYPE.primaryKeyBinding && verifySignature(proof, data, subkey.key, true);
  return binding && hasSignFlag(binding) && isProven ? [subkey] : [];
}
