import { isIp, isIpv6 } from "../../openapi/index.ts";
import type { CidrValue, IpValue } from "./value.ts";

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
