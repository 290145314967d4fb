import { type DerElement, type DerReader, TAG, createDerReader, isAtEnd, take } from "./der.ts";

const RSA = "2a864886f70d010101";
const ELLIPTIC = "2a8648ce3d0201";
/** P-224, P-256, P-384 and P-521, with the length of a point: a mark and two coordinates. */
const POINTS: ReadonlyMap<string, number> = new Map([
  ["2b81040021", 57],
  ["2a8648ce3d030107", 65],
  ["2b81040022", 97],
  ["2b81040023", 133],
]);
const UNCOMPRESSED = 4;

/** A key that Go's crypto/x509 parses: it knows RSA and four elliptic curves, and leaves keys of other algorithms alone. */
export function isPublicKey(key: DerElement | undefined): boolean {
  if (key === undefined) return false;
  const reader = createDerReader(key.content);
  const algorithm = take(reader, TAG.sequence);
  const bits = take(reader, TAG.bitString)?.content;
  if (algorithm === undefined || bits === undefined || bits.length === 0) return false;
  const parameters = createDerReader(algorithm.content);
  const id = take(parameters, TAG.objectId)?.content.toString("hex");
  const data = bits.subarray(1);
  if (id === RSA) return take(parameters, TAG.null)?.content.length === 0 && isRsaKey(data);
  if (id === ELLIPTIC) return isPoint(data, parameters);
  return id !== undefined;
}

function isRsaKey(data: Buffer): boolean {
  const reader = createDerReader(data);
  const key = take(reader, TAG.sequence);
  if (key === undefined || !isAtEnd(reader)) return false;
  const numbers = createDerReader(key.content);
  return isPositive(take(numbers, TAG.integer)) && isPositive(take(numbers, TAG.integer));
}

function isPositive(number: DerElement | undefined): boolean {
  const [first = 0x80] = number?.content ?? [];
  return first < 0x80 && (number?.content.some((byte) => byte > 0) ?? false);
}

function isPoint(data: Buffer, parameters: DerReader): boolean {
  const curve = take(parameters, TAG.objectId)?.content.toString("hex") ?? "";
  return data[0] === UNCOMPRESSED && data.length === POINTS.get(curve);
}
