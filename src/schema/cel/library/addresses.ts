import { type Estimate, TRAVERSAL, estimateTraversal, operandSize } from "../cost/call-estimate.ts";
import { ONE, type Range, ZERO, add, scale } from "../cost/estimate.ts";
import { actualSize, getTraversalCost } from "../runtime/activation.ts";
import {
  containsCidr,
  containsIp,
  formatIp,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  maskCidr,
  parseCidr,
  parseIp,
} from "../runtime/values/ip.ts";
import { type IpValue, NO_OVERLOAD, type CelValue, buildError } from "../runtime/values/value.ts";
import { defineParser, isKind, onKind, onText, traverseTwice } from "./function-binding.ts";
import type { FunctionImplementation, FunctionRow, Library } from "./function-table.ts";

const PARSE_ERROR = "parse error during conversion from string";

function toIp(text: string): CelValue {
  return parseIp(text) ?? buildError(`IP Address ${JSON.stringify(text)} ${PARSE_ERROR}`);
}

function toCidr(text: string): CelValue {
  return parseCidr(text) ?? buildError(`network address ${PARSE_ERROR}: ${text}`);
}

function isCanonical(text: string): CelValue {
  const address = parseIp(text);
  return address ? formatIp(address) === text : buildError(`IP Address ${JSON.stringify(text)} ${PARSE_ERROR}`);
}

const containsIpImplementation: FunctionImplementation = ([network = null, other = null]) => {
  if (!isKind(network, "cidr")) return NO_OVERLOAD;
  const address = typeof other === "string" ? toIp(other) : other;
  if (typeof address === "object" && address?.kind === "failure") return address;
  return isKind(address, "ip") ? containsIp(network, address) : NO_OVERLOAD;
};

const containsCidrImplementation: FunctionImplementation = ([network = null, other = null]) => {
  if (!isKind(network, "cidr")) return NO_OVERLOAD;
  const address = typeof other === "string" ? toCidr(other) : other;
  if (typeof address === "object" && address?.kind === "failure") return address;
  return isKind(address, "cidr") ? containsCidr(network, address) : NO_OVERLOAD;
};

function getContainmentCost([network = null, other = null]: readonly CelValue[]): number {
  const parsed = typeof other === "string" ? getTraversalCost(actualSize(other)) : 0;
  return getTraversalCost(actualSize(network) * 3) + 1 + parsed;
}

/** Addresses have 4 or 16 bytes. */
const BYTES: Range = { min: 4, max: 16 };
const COMPARED = scale(add(BYTES, BYTES), TRAVERSAL);
const MASKED = add(scale(BYTES, TRAVERSAL), ONE);

/** An address that is given as text is read first. */
function estimateContainment(masked: Range): Readonly<Record<string, Estimate>> {
  return {
    "net:CIDR.(string)": (call) => ({ cost: add(COMPARED, masked, scale(operandSize(call, 1), TRAVERSAL)) }),
    "net:CIDR.(net:IP)": () => ({ cost: add(COMPARED, masked) }),
    "net:CIDR.(net:CIDR)": () => ({ cost: add(COMPARED, masked) }),
  };
}

function defineIpMethod(name: string, test: (ip: IpValue) => CelValue): FunctionRow {
  return { name, signatures: "net:IP.() bool", call: onKind("ip", test) };
}

export const ADDRESSES: Library = {
  owner: "api-server",
  since: 30,
  functions: [
    defineParser("ip", "net:IP", toIp),
    { name: "ip", signatures: "net:CIDR.() net:IP", call: onKind("cidr", (network) => network.ip) },
    defineParser("isIP", "bool", (text) => parseIp(text) !== undefined),
    {
      name: "ip.isCanonical",
      signatures: "(string) bool",
      estimate: estimateTraversal(2),
      call: onText(isCanonical),
      cost: traverseTwice,
    },
    { name: "family", signatures: "net:IP.() int", call: onKind("ip", ({ bytes }) => (bytes.length === 4 ? 4n : 6n)) },
    defineIpMethod("isUnspecified", isUnspecified),
    defineIpMethod("isLoopback", isLoopback),
    defineIpMethod("isLinkLocalMulticast", isLinkLocalMulticast),
    defineIpMethod("isLinkLocalUnicast", isLinkLocalUnicast),
    defineIpMethod("isGlobalUnicast", isGlobalUnicast),
    defineParser("cidr", "net:CIDR", toCidr),
    defineParser("isCIDR", "bool", (text) => parseCidr(text) !== undefined),
    {
      name: "containsIP",
      signatures: "net:CIDR.(string) bool | net:CIDR.(net:IP) bool",
      estimate: estimateContainment(ZERO),
      call: containsIpImplementation,
      cost: getContainmentCost,
    },
    {
      name: "containsCIDR",
      signatures: "net:CIDR.(string) bool | net:CIDR.(net:CIDR) bool",
      estimate: estimateContainment(MASKED),
      call: containsCidrImplementation,
      cost: getContainmentCost,
    },
    {
      name: "prefixLength",
      signatures: "net:CIDR.() int",
      call: onKind("cidr", ({ prefixLength }) => BigInt(prefixLength)),
    },
    { name: "masked", signatures: "net:CIDR.() net:CIDR", call: onKind("cidr", maskCidr) },
  ],
};
