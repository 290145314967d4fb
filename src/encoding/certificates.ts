import { X509Certificate } from "node:crypto";

/** What a certificate says, in the words of openssl and of Go. Times are in seconds since 1970. */
export type Certificate = {
  readonly subject: string;
  readonly issuer: string;
  readonly names: readonly string[];
  readonly notBefore: number;
  readonly notAfter: number;
  readonly keyType: string;
  readonly signatureAlgorithm: string;
  readonly isCA: boolean;
  readonly serial: string;
};

/** Undefined if OpenSSL can't read it. */
export function parseCertificate(pem: string): Certificate | undefined {
  const certificate = readCertificate(pem);
  if (certificate === undefined) return undefined;
  const notBefore = Date.parse(certificate.validFrom) / 1_000;
  const notAfter = Date.parse(certificate.validTo) / 1_000;
  if (Number.isNaN(notBefore) || Number.isNaN(notAfter)) return undefined;
  return {
    subject: formatName(certificate.subject),
    issuer: formatName(certificate.issuer),
    names: listNames(certificate.subjectAltName ?? ""),
    notBefore,
    notAfter,
    keyType: describeKey(certificate),
    signatureAlgorithm: findSignatureAlgorithm(certificate.raw),
    isCA: certificate.ca,
    serial: certificate.serialNumber,
  };
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** Node writes each part in a line of its own, and escapes what stands in it. An empty name is undefined. */
function formatName(lines: string | undefined): string {
  return (lines ?? "").replaceAll("\n", ", ");
}

/** Node puts a name in the quotes of JSON if it has a comma or a quote in it. */
const ALTERNATIVE = /([^:,"]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/gy;

function listNames(alternatives: string): readonly string[] {
  return [...alternatives.matchAll(ALTERNATIVE)].flatMap(([, kind, name = ""]) =>
    kind === "DNS" ? [name] : kind === "IP Address" ? [shortenAddress(name)] : [],
  );
}

/** Node writes all parts of an IPv6 address. */
function shortenAddress(address: string): string {
  return address.includes(":") ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

const CURVES: Readonly<Record<string, string>> = {
  secp224r1: "P-224",
  prime256v1: "P-256",
  secp384r1: "P-384",
  secp521r1: "P-521",
};

function describeKey(certificate: X509Certificate): string {
  try {
    const { asymmetricKeyType: type = "", asymmetricKeyDetails: { modulusLength, namedCurve } = {} } =
      certificate.publicKey;
    if (modulusLength !== undefined) return `${type.toUpperCase()} ${modulusLength}`;
    if (namedCurve !== undefined) return `EC ${CURVES[namedCurve] ?? namedCurve}`;
    return type.replace(/^ed/, "Ed");
  } catch {
    return UNKNOWN;
  }
}

/** Of a key or a signature that OpenSSL or this build does not know. */
const UNKNOWN = "unknown";

const PSS = "06092a864886f70d01010a";

/** By the object identifiers in DER, with the names that Go's crypto/x509 has for them. */
const ALGORITHMS: readonly (readonly [id: string, name: string])[] = [
  ["06092a864886f70d010104", "MD5-RSA"],
  ["06092a864886f70d010105", "SHA1-RSA"],
  ["06092a864886f70d01010b", "SHA256-RSA"],
  ["06092a864886f70d01010c", "SHA384-RSA"],
  ["06092a864886f70d01010d", "SHA512-RSA"],
  [PSS, "RSAPSS"],
  ["06072a8648ce380403", "DSA-SHA1"],
  ["0609608648016503040302", "DSA-SHA256"],
  ["06072a8648ce3d0401", "ECDSA-SHA1"],
  ["06082a8648ce3d040302", "ECDSA-SHA256"],
  ["06082a8648ce3d040303", "ECDSA-SHA384"],
  ["06082a8648ce3d040304", "ECDSA-SHA512"],
  ["06032b6570", "Ed25519"],
];

/** Node 22 does not tell it. It stands between what is signed and the signature. */
function findSignatureAlgorithm(der: Buffer): string {
  const signed = findContent(der, findContent(der, 0).start);
  const { start, end } = findContent(der, signed.end);
  const id = der.subarray(start, end).toString("hex");
  const name = ALGORITHMS.find(([known]) => id.startsWith(known))?.[1] ?? UNKNOWN;
  const hash = id.startsWith(PSS) ? HASHES.find(([known]) => id.includes(known))?.[1] : undefined;
  return hash === undefined ? name : `${hash}-${name}`;
}

/** Parameters of RSAPSS, which without them is of SHA-1. */
const HASHES: readonly (readonly [id: string, name: string])[] = [
  ["0609608648016503040201", "SHA256"],
  ["0609608648016503040202", "SHA384"],
  ["0609608648016503040203", "SHA512"],
];

/** Of an element of DER that OpenSSL has read. */
function findContent(der: Buffer, at: number): { readonly start: number; readonly end: number } {
  const first = der[at + 1] ?? 0;
  const digits = first > 0x80 ? first - 0x80 : 0;
  const start = at + 2 + digits;
  const length = digits === 0 ? first : Number.parseInt(der.subarray(at + 2, start).toString("hex"), 16);
  return { start, end: start + length };
}
