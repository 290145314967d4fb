import { isBase64OrEmpty } from "../../openapi/index.ts";

/** Does a caBundle hold a certificate? As in the API server, one that can be parsed is enough, whatever else the text holds. */
export function holdsCertificate(bundle: string): boolean {
  const text = Buffer.from(bundle, "base64").toString("latin1");
  return decodePem(text, "CERTIFICATE").some(isCertificate);
}

/**
 * A certificate (RFC 5280) that Go's crypto/x509 parses. What extensions contain is not validated. Node's X509Certificate does not serve: of
 * 3,008 certificates with one bit changed it accepts 977 that Go refuses (another algorithm in the signature, times that don't exist, bytes
 * after the end), and refuses 18 that Go accepts, which this never does.
 */
function isCertificate(der: Buffer): boolean {
  const all = createDerReader(der);
  const reader = createDerReader(take(all, TAG.sequence)?.content);
  const [signed, algorithm, signature] = takeEach(reader, TAG.sequence, TAG.sequence, TAG.bitString);
  return isAtEnd(all) && isBits(signature) && isSigned(signed, algorithm);
}

const VERSION = 0xa0;
const ISSUER_ID = 0x81;
const SUBJECT_ID = 0x82;
const EXTENSIONS = 0xa3;

function isSigned(signed: DerElement | undefined, outerAlgorithm: DerElement | undefined): boolean {
  const reader = createDerReader(signed?.content);
  const version = readVersion(take(reader, VERSION));
  const [serial, algorithm, issuer] = takeEach(reader, TAG.integer, TAG.sequence, TAG.sequence);
  const [validity, subject, key] = takeEach(reader, TAG.sequence, TAG.sequence, TAG.sequence);
  if (version === undefined || !isNumber(serial)) return false;
  if (!algorithm || !outerAlgorithm?.whole.equals(algorithm.whole)) return false;
  if (!isName(issuer) || !isValidity(validity) || !isName(subject) || !isPublicKey(key)) return false;
  if (version >= 2) takeEach(reader, ISSUER_ID, SUBJECT_ID);
  return version < 3 || !isNext(reader, EXTENSIONS) || areExtensions(take(reader, EXTENSIONS));
}

/** 1 to 3; 1 if it is absent. */
function readVersion(explicit: DerElement | undefined): number | undefined {
  if (explicit === undefined) return 1;
  const version = take(createDerReader(explicit.content), TAG.integer)?.content;
  const number = version?.length === 1 ? (version[0] ?? 0) : 3;
  return number <= 2 ? number + 1 : undefined;
}

/** An integer that is not negative, in its shortest form. */
function isNumber(element: DerElement | undefined): boolean {
  const [first = 0x80, second = 0x80] = element?.content ?? [];
  return first < 0x80 && (first > 0 || second >= 0x80 || element?.content.length === 1);
}

/** Bits that are whole bytes or leave out some of the last, which are then zero. */
function isBits(element: DerElement | undefined): boolean {
  const bits = element?.content;
  const unused = bits?.[0] ?? 8;
  if (bits === undefined || unused > 7 || (bits.length === 1 && unused > 0)) return false;
  return ((bits.at(-1) ?? 0) & ((1 << unused) - 1)) === 0 || bits.length === 1;
}

/** UTF8String, NumericString, PrintableString, T61String, IA5String and BMPString. */
const TEXT_TAGS = [0x0c, 0x12, 0x13, 0x14, 0x16, 0x1e];

function isName(name: DerElement | undefined): boolean {
  return everyElement(name, TAG.set, (set) => everyElement(set, TAG.sequence, isAttribute));
}

function isAttribute({ content }: DerElement): boolean {
  const reader = createDerReader(content);
  return take(reader, TAG.objectId) !== undefined && TEXT_TAGS.includes(takeAny(reader)?.tag ?? 0);
}

function everyElement(list: DerElement | undefined, tag: number, test: (element: DerElement) => boolean): boolean {
  const reader = createDerReader(list?.content);
  while (!isAtEnd(reader)) {
    const element = take(reader, tag);
    if (element === undefined || !test(element)) return false;
  }
  return list !== undefined;
}

function isValidity(validity: DerElement | undefined): boolean {
  const reader = createDerReader(validity?.content);
  return takeTime(reader) && takeTime(reader);
}

const TIME = /^(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?(?:Z|[+-]\d{4})$/;

function takeTime(reader: DerReader): boolean {
  const time = takeAny(reader);
  const text = time?.content.toString("latin1") ?? "";
  if (time?.tag === TAG.utcTime) return /^\d\d/.test(text) && TIME.test(text.slice(2));
  return time?.tag === TAG.generalizedTime && /^\d{4}.{10}/.test(text) && TIME.test(text.slice(4));
}

/** Extensions of different kinds: an id, whether it is critical, and a value. */
function areExtensions(explicit: DerElement | undefined): boolean {
  const ids = new Set<string>();
  return everyElement(take(createDerReader(explicit?.content), TAG.sequence), TAG.sequence, ({ content }) => {
    const reader = createDerReader(content);
    const id = take(reader, TAG.objectId)?.content.toString("hex");
    const critical = isNext(reader, TAG.boolean) ? take(reader, TAG.boolean)?.content : Buffer.of(0);
    const isFlag = critical?.length === 1 && (critical[0] === 0 || critical[0] === 0xff);
    if (id === undefined || ids.has(id) || !isFlag) return false;
    ids.add(id);
    return take(reader, TAG.octetString) !== undefined;
  });
}

const BEGIN = "-----BEGIN ";
const END = "\n-----END ";
const DASHES = "-----";

/** Blocks of a type, decoded as Go's encoding/pem does: text around them is ignored, and so is a block that is malformed. */
export function decodePem(text: string, type: string): readonly Buffer[] {
  const parts = text.split(END);
  return parts.slice(0, -1).flatMap((part, i) => decodeBlock(part, parts[i + 1] ?? "", `${type}${DASHES}`) ?? []);
}

/** The block from the last BEGIN line of a text up to an END line, which `rest` continues; undefined if it has headers or is malformed. */
function decodeBlock(text: string, rest: string, label: string): Buffer | undefined {
  const begin = text.lastIndexOf(BEGIN);
  if (begin < 0 || (begin > 0 && text[begin - 1] !== "\n")) return undefined;
  // An empty block has no line between its first and its last one.
  const [first = "", ...lines] = text.slice(begin + BEGIN.length).split("\n");
  const hasLabels = [first, rest.split("\n", 1)[0] ?? ""].every((line) => line.replace(/[ \t]*\r?$/, "") === label);
  const plain = lines.join("").replaceAll(/[ \t\r\n]/g, "");
  return hasLabels && isBase64OrEmpty(plain) ? Buffer.from(plain, "base64") : undefined;
}

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
function isPublicKey(key: DerElement | undefined): boolean {
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

/** A place in DER, the binary form of certificates. */
type DerReader = { readonly der: Buffer; place: number };

type DerElement = { readonly tag: number; readonly content: Buffer; readonly whole: Buffer };

const TAG = {
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

function isNext({ der, place }: DerReader, tag: number): boolean {
  return der[place] === tag;
}

/** The next element if it has this tag. */
function take(reader: DerReader, tag: number): DerElement | undefined {
  return isNext(reader, tag) ? takeAny(reader) : undefined;
}

/** The next elements by their tags; one that is not there is undefined. */
function takeEach(reader: DerReader, ...tags: readonly number[]): readonly (DerElement | undefined)[] {
  return tags.map((tag) => take(reader, tag));
}
