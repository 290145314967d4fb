import { actualSize, getTraversalCost } from "../values/size.ts";
import * as ip from "../values/ip.ts";
import {
  type CidrValue,
  type IpValue,
  type OfKind,
  NO_OVERLOAD,
  type CelValue,
  buildError,
  isKind,
  isError,
} from "../values/value.ts";
import { READS_ONCE, onKind, onText, traverseTwice } from "./function-binding.ts";
import { type FunctionRow, buildApiServerLibrary } from "../runtime/function-table.ts";

const PARSE_ERROR = "parse error during conversion from string";

function toIp(text: string): CelValue {
  return ip.parseIp(text) ?? buildError(`IP Address ${JSON.stringify(text)} ${PARSE_ERROR}`);
}

function toCidr(text: string): CelValue {
  return ip.parseCidr(text) ?? buildError(`network address ${PARSE_ERROR}: ${text}`);
}

function isCanonical(text: string): CelValue {
  const address = toIp(text);
  return isKind(address, "ip") ? ip.formatIp(address) === text : address;
}

function getContainmentCost([network = null, other = null]: readonly CelValue[]): number {
  const parsed = typeof other === "string" ? getTraversalCost(actualSize(other)) : 0;
  return getTraversalCost(actualSize(network) * 2) + parsed;
}

function getMaskedCost(args: readonly CelValue[]): number {
  return getContainmentCost(args) + getTraversalCost(actualSize(args[0] ?? null)) + 1;
}

/** An address or a network that is given as text is read first. */
function defineContainment<K extends "ip" | "cidr">(
  kind: K,
  read: (text: string) => CelValue,
  contains: (network: CidrValue, other: OfKind<K>) => boolean,
): FunctionRow {
  return {
    types: `net.CIDR.(string) bool | net.CIDR.(net.${kind.toUpperCase()}) bool`,
    call: ([network = null, other = null]) => {
      const address = typeof other === "string" ? read(other) : other;
      if (!isKind(network, "cidr")) return NO_OVERLOAD;
      if (isError(address)) return address;
      return isKind(address, kind) ? contains(network, address) : NO_OVERLOAD;
    },
    cost: kind === "cidr" ? getMaskedCost : getContainmentCost,
  };
}

function defineIpTest(test: (address: IpValue) => CelValue): FunctionRow {
  return { types: "net.IP.() bool", call: onKind("ip", test) };
}

export const ADDRESSES = buildApiServerLibrary("addresses", {
  ip: { types: "(string) net.IP", ...READS_ONCE, call: onText(toIp) },
  isIP: { types: "(string) bool", ...READS_ONCE, call: onText((text) => ip.parseIp(text) !== undefined) },
  "ip.isCanonical": { types: "(string) bool", cost: traverseTwice, call: onText(isCanonical) },
  family: { types: "net.IP.() int", call: onKind("ip", ({ bytes }) => (bytes.length === 4 ? 4n : 6n)) },
  isUnspecified: defineIpTest(ip.isUnspecified),
  isLoopback: defineIpTest(ip.isLoopback),
  isLinkLocalMulticast: defineIpTest(ip.isLinkLocalMulticast),
  isLinkLocalUnicast: defineIpTest(ip.isLinkLocalUnicast),
  isGlobalUnicast: defineIpTest(ip.isGlobalUnicast),
});

export const NETWORKS = buildApiServerLibrary("addresses", {
  cidr: { types: "(string) net.CIDR", ...READS_ONCE, call: onText(toCidr) },
  isCIDR: { types: "(string) bool", ...READS_ONCE, call: onText((text) => ip.parseCidr(text) !== undefined) },
  ip: { types: "net.CIDR.() net.IP", call: onKind("cidr", (network) => network.ip) },
  containsIP: defineContainment("ip", toIp, ip.containsIp),
  containsCIDR: defineContainment("cidr", toCidr, ip.containsCidr),
  prefixLength: { types: "net.CIDR.() int", call: onKind("cidr", ({ prefixLength }) => BigInt(prefixLength)) },
  masked: { types: "net.CIDR.() net.CIDR", call: onKind("cidr", ip.maskCidr) },
});
