import { FailedError } from "../../../model/errors.ts";
import { type Packet, TAG, createByteReader, parseMessage, removeArmor } from "./openpgp-packets.ts";
import type { SigningKey } from "./public-keys.ts";
import { SIGNATURE_TYPE, type SignaturePacket, parseSignature, verifySignature } from "./signature-packet.ts";

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
export function findSigner(
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
