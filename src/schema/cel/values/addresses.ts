import { isIp, isIpv6, isRequestUri } from "../../openapi/index.ts";
import { type CidrValue, type IpValue, type UrlValue, type CelValue, type MapValue, buildList } from "./value.ts";

/** An address without a zone that is not an IPv4-mapped IPv6 address; undefined for any other text. */
export function parseIp(text: string): IpValue | undefined {
  if (!isIp(text)) return undefined;
  const bytes = isIpv6(text) ? parseIpv6Bytes(text) : parseIpv4Bytes(text);
  const isMapped = bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255;
  return isMapped && bytes[11] === 255 ? undefined : { kind: "ip", bytes };
}

export function parseCidr(text: string): CidrValue | undefined {
  const slash = text.lastIndexOf("/");
  const ip = slash < 0 ? undefined : parseIp(text.slice(0, slash));
  const bits = text.slice(slash + 1);
  if (ip === undefined || !/^(?:0|[1-9]\d{0,2})$/.test(bits)) return undefined;
  return Number(bits) <= ip.bytes.length * 8 ? { kind: "cidr", ip, prefixLength: Number(bits) } : undefined;
}

function parseIpv4Bytes(text: string): readonly number[] {
  return text.split(".").map(Number);
}

function parseIpv6Bytes(text: string): readonly number[] {
  const [left = "", right] = text.split("::");
  const head = parseGroups(left);
  const tail = parseGroups(right ?? "");
  return right === undefined
    ? head
    : [...head, ...Array.from({ length: 16 - head.length - tail.length }, () => 0), ...tail];
}

function parseGroups(half: string): readonly number[] {
  if (half === "") return [];
  return half.split(":").flatMap((group) => {
    if (group.includes(".")) return parseIpv4Bytes(group);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

export function isSameIp(a: IpValue, b: IpValue): boolean {
  return a.bytes.length === b.bytes.length && a.bytes.every((byte, i) => byte === b.bytes[i]);
}

/** The canonical text: lower case, the first of the longest runs of zeros left out. */
export function formatIp({ bytes }: IpValue): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0));
  const { hostname } = new URL(`http://[${groups.map((group) => group.toString(16)).join(":")}]`);
  return hostname.slice(1, -1);
}

export function formatCidr(cidr: CidrValue): string {
  return `${formatIp(cidr.ip)}/${cidr.prefixLength}`;
}

export function maskCidr({ ip, prefixLength }: CidrValue): CidrValue {
  const bytes = ip.bytes.map((byte, i) => byte & getMaskByte(prefixLength - i * 8));
  return { kind: "cidr", ip: { kind: "ip", bytes }, prefixLength };
}

function getMaskByte(bits: number): number {
  if (bits >= 8) return 255;
  return bits <= 0 ? 0 : (255 << (8 - bits)) & 255;
}

export function containsIp(cidr: CidrValue, ip: IpValue): boolean {
  if (cidr.ip.bytes.length !== ip.bytes.length) return false;
  return isSameIp(maskCidr(cidr).ip, maskCidr({ ...cidr, ip }).ip);
}

export function containsCidr(cidr: CidrValue, other: CidrValue): boolean {
  return cidr.prefixLength <= other.prefixLength && containsIp(cidr, other.ip);
}

export function isUnspecified({ bytes }: IpValue): boolean {
  return bytes.every((byte) => byte === 0);
}

export function isLoopback({ bytes }: IpValue): boolean {
  return bytes.length === 4 ? bytes[0] === 127 : bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
}

export function isLinkLocalMulticast({ bytes: [a = 0, b = 0, c = 0, ...rest] }: IpValue): boolean {
  return rest.length === 1 ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 2;
}

export function isLinkLocalUnicast({ bytes: [a = 0, b = 0, ...rest] }: IpValue): boolean {
  return rest.length === 2 ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80;
}

export function isGlobalUnicast(ip: IpValue): boolean {
  const { bytes } = ip;
  if (bytes.length === 4 && (bytes.every((byte) => byte === 255) || isUnspecified(ip))) return false;
  if (bytes.length === 16 && isUnspecified(ip)) return false;
  return !isLoopback(ip) && !isMulticast(ip) && !isLinkLocalUnicast(ip);
}

function isMulticast({ bytes }: IpValue): boolean {
  const first = bytes[0] ?? 0;
  return bytes.length === 4 ? (first & 0xf0) === 0xe0 : first === 0xff;
}

/** A URL as Go's url.ParseRequestURI and then url.Parse parse it; undefined if either rejects it. */
export function parseUrl(text: string): UrlValue | undefined {
  if (!isRequestUri(text)) return undefined;
  const hash = text.indexOf("#");
  const plain = hash < 0 ? text : text.slice(0, hash);
  if (hash >= 0 && (!isRequestUri(plain === "" ? "/" : plain) || /%(?![0-9A-Fa-f]{2})/.test(text.slice(hash + 1))))
    return undefined;
  const [, written, rest = ""] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(.*)$/s.exec(plain) ?? [];
  const mark = rest.indexOf("?");
  const [body, query] = mark < 0 ? [rest, ""] : [rest.slice(0, mark), rest.slice(mark + 1)];
  const scheme = (written ?? "").toLowerCase();
  if (scheme !== "" && !body.startsWith("/")) return { kind: "url", text, scheme, host: "", path: "", query };
  const hasAuthority = body.startsWith("//") && (scheme !== "" || !body.startsWith("///"));
  const slash = hasAuthority ? body.indexOf("/", 2) : 0;
  const authority = hasAuthority ? body.slice(2, slash < 0 ? undefined : slash) : "";
  const path = hasAuthority ? (slash < 0 ? "" : body.slice(slash)) : body;
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return { kind: "url", text, scheme, host: decodePercent(host, false) ?? host, path: escapePath(path), query };
}

/** Without brackets and port. */
export function getHostname({ host }: UrlValue): string {
  const close = host.lastIndexOf("]");
  if (host.startsWith("[") && close > 0) return host.slice(1, close);
  const colon = host.lastIndexOf(":");
  return colon < 0 || !/^\d*$/.test(host.slice(colon + 1)) ? host : host.slice(0, colon);
}

export function getPort({ host }: UrlValue): string {
  return /:(\d*)$/.exec(host.slice(host.lastIndexOf("]") + 1))?.[1] ?? "";
}

const PATH = /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/%]*$/;

/** The text as written if that is a valid encoding, else encoded again. */
function escapePath(path: string): string {
  if (path === "*" || PATH.test(path)) return path;
  const plain = decodePercent(path, false) ?? path;
  return [...new TextEncoder().encode(plain)].map(escapeByte).join("");
}

function escapeByte(byte: number): string {
  const text = String.fromCharCode(byte);
  if (byte < 0x80 && /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(text)) return text;
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** Undefined if a percent sign is not followed by two digits or the bytes are not UTF-8. */
function decodePercent(text: string, plusIsSpace: boolean): string | undefined {
  const plain = plusIsSpace ? text.replaceAll("+", " ") : text;
  if (!plain.includes("%")) return plain;
  try {
    return decodeURIComponent(plain).toWellFormed();
  } catch {
    return undefined;
  }
}

/** Values by name; what can't be decoded, or holds a semicolon, is left out. */
export function parseQuery({ query }: UrlValue): MapValue {
  const entries = new Map<string, CelValue[]>();
  for (const part of query.split("&")) {
    if (part === "" || part.includes(";")) continue;
    const sign = part.indexOf("=");
    const name = decodePercent(sign < 0 ? part : part.slice(0, sign), true);
    const value = decodePercent(sign < 0 ? "" : part.slice(sign + 1), true);
    if (name === undefined || value === undefined) continue;
    const values = entries.get(name);
    if (values) values.push(value);
    else entries.set(name, [value]);
  }
  return { kind: "map", entries: new Map([...entries].map(([name, list]) => [`s${name}`, [name, buildList(list)]])) };
}

/** The text by which two URLs are compared. */
export function buildComparableUrl({ text, scheme }: UrlValue): string {
  return scheme === "" ? text : scheme + text.slice(scheme.length);
}
