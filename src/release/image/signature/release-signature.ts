import { FailedError } from "../../../model/errors.ts";
import { type JsonObject, isObject, numberAt, objectAt, parseObject, textAt } from "../../../model/json.ts";
import { type Packet, TAG, createByteReader, parseMessage, removeArmor } from "./openpgp-packets.ts";
import { type SigningKey, parseKeyring } from "./public-keys.ts";
import { SIGNATURE_TYPE, type SignaturePacket, parseSignature, verifySignature } from "./signature-packet.ts";

/** What is known of a release's signature, as the cluster-version operator would judge it. */
export type SignatureVerdict =
  | { readonly kind: "verified"; readonly signers: readonly string[] }
  | { readonly kind: "untrusted"; readonly signatures: number }
  | { readonly kind: "unverifiable"; readonly why: string };

/** A keyring that somebody trusts: "the cluster's verifier-public-key-redhat". */
export type Keyring = { readonly name: string; readonly bytes: Buffer };
/** `origin`: where it was found, for messages. */
export type FoundSignature = { readonly bytes: Buffer; readonly origin: string };

const MAX_OWNER_LENGTH = 200;

/** Every keyring must have made one of the signatures. */
export function verifyRelease(
  digest: string,
  keyrings: readonly Keyring[],
  signatures: readonly FoundSignature[],
  now: Date,
): SignatureVerdict {
  const signers: string[] = [];
  const failures: string[] = [];
  let unsigned = 0;
  for (const { name, bytes } of keyrings) {
    const keys = readKeys(name, bytes);
    if (typeof keys === "string") return { kind: "unverifiable", why: keys };
    const signer = findReleaseSigner(digest, keys, signatures, now, failures);
    if (signer) signers.push(`${signer.owner.slice(0, MAX_OWNER_LENGTH)}, ${signer.fingerprint.toUpperCase()}`);
    else unsigned += 1;
  }
  if (unsigned === 0 && signers.length > 0) return { kind: "verified", signers };
  const [why] = failures;
  return why === undefined ? { kind: "untrusted", signatures: signatures.length } : { kind: "unverifiable", why };
}

function readKeys(name: string, bytes: Buffer): readonly SigningKey[] | string {
  try {
    const keys = parseKeyring(bytes);
    return keys.length > 0 ? keys : `${name} has no RSA key that may sign`;
  } catch (thrown) {
    if (thrown instanceof FailedError) return `${name} can't be read: ${thrown.message}`;
    throw thrown;
  }
}

function findReleaseSigner(
  digest: string,
  keys: readonly SigningKey[],
  signatures: readonly FoundSignature[],
  now: Date,
  failures: string[],
): SigningKey | undefined {
  for (const { bytes, origin } of signatures) {
    try {
      const message = parseSignedMessage(bytes);
      const signer = findSigner(message, keys, now);
      if (!signer) continue;
      requireClaim(message.content, digest);
      return signer;
    } catch (thrown) {
      if (!(thrown instanceof FailedError)) throw thrown;
      failures.push(`the signature ${origin} does not count: ${thrown.message}`);
    }
  }
  return undefined;
}

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  "": ["critical", "optional"],
  critical: ["type", "image", "identity"],
  "critical.image": ["docker-manifest-digest"],
  "critical.identity": ["docker-reference"],
  optional: ["creator", "timestamp"],
};

/** The content must claim this image, in the form of a container signature, and nothing that is not known. */
function requireClaim(content: Buffer, digest: string): void {
  const claim = parseObject(content.toString("utf8"));
  if (!claim || !hasOnlyKnownFields(claim)) throw new FailedError("its content is not a container signature");
  if (textAt(claim, "critical", "type") !== "atomic container signature")
    throw new FailedError("its content is not a container signature");
  if (textAt(claim, "critical", "image", "docker-manifest-digest") !== digest)
    throw new FailedError("it is for another image");
  if (!textAt(claim, "critical", "identity", "docker-reference")) throw new FailedError("it names no image");
}

function hasOnlyKnownFields(claim: JsonObject): boolean {
  const isKnown = Object.entries(FIELDS).every(([path, fields]) => {
    const value = path === "" ? claim : objectAt(claim, ...path.split("."));
    return Object.keys(value).every((field) => fields.includes(field));
  });
  const { optional = {} } = claim;
  return isKnown && (optional === null || isObject(optional)) && isTimestamp(claim);
}

function isTimestamp(claim: JsonObject): boolean {
  const optional = objectAt(claim, "optional");
  return optional["timestamp"] === undefined || Number.isInteger(numberAt(claim, "optional", "timestamp"));
}

export type SignedMessage = { readonly signature: SignaturePacket; readonly content: Buffer };

/** Parses an OpenPGP message with one signature over its content. Throws a FailedError that begins with "it" or "its". */
export function parseSignedMessage(bytes: Buffer): SignedMessage {
  const packets = parseMessage(removeArmor(bytes));
  const [onePass, literal, signature] = packets;
  const tags = [TAG.onePassSignature, TAG.literalData, TAG.signature];
  if (!onePass || !literal || !signature || packets.length !== tags.length || !hasTags(packets, tags))
    throw new FailedError("it is not a message with one signature over its content");
  return { signature: parseSignature(signature.body), content: parseLiteral(literal.body) };
}

function hasTags(packets: readonly Packet[], tags: readonly number[]): boolean {
  return packets.every(({ tag }, index) => tag === tags[index]);
}

function parseLiteral(body: Buffer): Buffer {
  const reader = createByteReader(body);
  reader.byte();
  reader.bytes(reader.byte());
  reader.bytes(4);
  return reader.bytes(reader.left());
}

/** The key that made a message's signature; undefined if none of these did. Throws a FailedError if one did, but the signature does not count. */
function findSigner(
  { signature, content }: SignedMessage,
  keys: readonly SigningKey[],
  now: Date,
): SigningKey | undefined {
  const signer = keys.find(({ keyId }) => keyId === signature.keyId);
  if (!signer) return undefined;
  if (!verifySignature(signature, [selectSignedContent(signature, content)], signer.key))
    throw new FailedError("its signature does not fit its content");
  const { created, lifetimeSeconds = 0 } = signature;
  if (lifetimeSeconds > 0 && (created + lifetimeSeconds) * 1000 < now.getTime())
    throw new FailedError("its signature has expired");
  return signer;
}

/** Text is signed with the line ends of the network. */
function selectSignedContent({ type }: SignaturePacket, content: Buffer): Buffer {
  if (type === SIGNATURE_TYPE.binary) return content;
  if (type === SIGNATURE_TYPE.text)
    return Buffer.from(content.toString("latin1").replaceAll(/\r?\n/g, "\r\n"), "latin1");
  throw new FailedError("its signature is not one over data");
}
