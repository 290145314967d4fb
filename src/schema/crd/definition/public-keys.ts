import { type DerElement, type DerReader, TAG, createDerReader, isAtEnd, take, takeEach } from "./der.ts";

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
  const [algorithm, bits] = takeEach(createDerReader(key?.content), TAG.sequence, TAG.bitString);
  if (bits === undefined || bits.content.length === 0) return false;
  const parameters = createDerReader(algorithm?.content);
  const id = take(parameters, TAG.objectId)?.content.toString("hex");
  const data = bits.content.subarray(1);
  if (id === RSA) return take(parameters, TAG.null)?.content.length === 0 && isRsaKey(data);
  if (id === ELLIPTIC) return isPoint(data, parameters);
  return id !== undefined;
}

function isRsaKey(data: Buffer): boolean {
  const reader = createDerReader(data);
  const numbers = createDerReader(take(reader, TAG.sequence)?.content);
  return isAtEnd(reader) && takeEach(numbers, TAG.integer, TAG.integer).every(isPositive);
}

function isPositive(number: DerElement | undefined): boolean {
  const [first = 0x80] = number?.content ?? [];
  return first < 0x80 && (number?.content.some((byte) => byte > 0) ?? false);
}

function isPoint(data: Buffer, parameters: DerReader): boolean {
  const curve = take(parameters, TAG.objectId)?.content.toString("hex") ?? "";
  return data[0] === UNCOMPRESSED && data.length === POINTS.get(curve);
}
