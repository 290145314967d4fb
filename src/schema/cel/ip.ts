import { isIp, isIpv6 } from "../format-net.ts";
import type { Cidr, Ip } from "./value.ts";

/** An address without a zone that is no IPv4 address in IPv6's clothes; undefined where the text is none. */
export function parseIp(text: string): Ip | undefined {
  if (!isIp(text)) return undefined;
  const bytes = isIpv6(text) ? bytesOfV6(text) : bytesOfV4(text);
  const isMapped = bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255;
  return isMapped && bytes[11] === 255 ? undefined : { kind: "ip", bytes };
}

export function parseCidr(text: string): Cidr | undefined {
  const slash = text.lastIndexOf("/");
  const ip = slash < 0 ? undefined : parseIp(text.slice(0, slash));
  const bits = text.slice(slash + 1);
  if (ip === undefined || !/^(?:0|[1-9]\d{0,2})$/.test(bits)) return undefined;
  return Number(bits) <= ip.bytes.length * 8 ? { kind: "cidr", ip, bits: Number(bits) } : undefined;
}

function bytesOfV4(text: string): readonly number[] {
  return text.split(".").map(Number);
}

function bytesOfV6(text: string): readonly number[] {
  const [left = "", right] = text.split("::");
  const [head, tail] = [groupBytes(left), groupBytes(right ?? "")];
  return right === undefined
    ? head
    : [...head, ...Array.from({ length: 16 - head.length - tail.length }, () => 0), ...tail];
}

function groupBytes(half: string): readonly number[] {
  if (half === "") return [];
  return half.split(":").flatMap((group) => {
    if (group.includes(".")) return bytesOfV4(group);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

export function sameIp(a: Ip, b: Ip): boolean {
  return a.bytes.length === b.bytes.length && a.bytes.every((byte, i) => byte === b.bytes[i]);
}

/** The canonical text: lower case, the first of the longest runs of zeros left out. */
export function ipText({ bytes }: Ip): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0));
  const [start, length] = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(":");
  return `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`;
}

function longestZeros(groups: readonly number[]): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  let length = 0;
  for (const [i, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0;
    if (length > best[1]) best = [i - length + 1, length];
  }
  return best;
}

export function cidrText(cidr: Cidr): string {
  return `${ipText(cidr.ip)}/${cidr.bits}`;
}

export function masked({ ip, bits }: Cidr): Cidr {
  const bytes = ip.bytes.map((byte, i) => byte & maskByte(bits - i * 8));
  return { kind: "cidr", ip: { kind: "ip", bytes }, bits };
}

function maskByte(bits: number): number {
  if (bits >= 8) return 255;
  return bits <= 0 ? 0 : (255 << (8 - bits)) & 255;
}

export function containsIp(cidr: Cidr, ip: Ip): boolean {
  if (cidr.ip.bytes.length !== ip.bytes.length) return false;
  return sameIp(masked(cidr).ip, masked({ ...cidr, ip }).ip);
}

export function containsCidr(cidr: Cidr, other: Cidr): boolean {
  return cidr.bits <= other.bits && containsIp(cidr, other.ip);
}

export function isUnspecified({ bytes }: Ip): boolean {
  return bytes.every((byte) => byte === 0);
}

export function isLoopback({ bytes }: Ip): boolean {
  return bytes.length === 4 ? bytes[0] === 127 : bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
}

export function isLinkLocalMulticast({ bytes: [a = 0, b = 0, c = 0, ...rest] }: Ip): boolean {
  return rest.length === 1 ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 2;
}

export function isLinkLocalUnicast({ bytes: [a = 0, b = 0, ...rest] }: Ip): boolean {
  return rest.length === 2 ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80;
}

export function isGlobalUnicast(ip: Ip): boolean {
  const { bytes } = ip;
  if (bytes.length === 4 && (bytes.every((byte) => byte === 255) || isUnspecified(ip))) return false;
  if (bytes.length === 16 && isUnspecified(ip)) return false;
  return !isLoopback(ip) && !isMulticast(ip) && !isLinkLocalUnicast(ip);
}

function isMulticast({ bytes }: Ip): boolean {
  const first = bytes[0] ?? 0;
  return bytes.length === 4 ? (first & 0xf0) === 0xe0 : first === 0xff;
}
