import {
  type FunctionImplementation,
  type NamedFunctions,
  isKind,
  onKind,
  onText,
  traverseOnce,
  traverseTwice,
} from "./function-binding.ts";
import { actualSize, getTraversalCost } from "./activation.ts";
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
} from "./values/ip.ts";
import { isRequestUri } from "../../formats/uri.ts";
import { getHostname, parseUrl, getPort, parseQuery } from "./values/url.ts";
import { type IpValue, NO_OVERLOAD, type UrlValue, type CelValue, buildError } from "./values/value.ts";

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

function defineIpMethod(name: string, test: (ip: IpValue) => CelValue): NamedFunctions[number] {
  return [name, { min: 1, max: 1, call: onKind("ip", test) }];
}

function defineUrlMethod(name: string, get: (url: UrlValue) => CelValue): NamedFunctions[number] {
  return [name, { min: 1, max: 1, call: onKind("url", get) }];
}

export const NETWORK_GLOBALS: NamedFunctions = [
  ["ip", { min: 1, max: 1, call: onText(toIp), cost: traverseOnce }],
  ["isIP", { min: 1, max: 1, call: onText((text) => parseIp(text) !== undefined), cost: traverseOnce }],
  ["ip.isCanonical", { min: 1, max: 1, call: onText(isCanonical), cost: traverseTwice }],
  ["cidr", { min: 1, max: 1, call: onText(toCidr), cost: traverseOnce }],
  ["isCIDR", { min: 1, max: 1, call: onText((text) => parseCidr(text) !== undefined), cost: traverseOnce }],
  [
    "url",
    { min: 1, max: 1, call: onText((text) => parseUrl(text) ?? buildError(`URL ${PARSE_ERROR}`)), cost: traverseOnce },
  ],
  ["isURL", { min: 1, max: 1, call: onText(isRequestUri) }],
];

export const NETWORK_METHODS: NamedFunctions = [
  defineIpMethod("family", ({ bytes }) => (bytes.length === 4 ? 4n : 6n)),
  defineIpMethod("isUnspecified", isUnspecified),
  defineIpMethod("isLoopback", isLoopback),
  defineIpMethod("isLinkLocalMulticast", isLinkLocalMulticast),
  defineIpMethod("isLinkLocalUnicast", isLinkLocalUnicast),
  defineIpMethod("isGlobalUnicast", isGlobalUnicast),
  ["containsIP", { min: 2, max: 2, call: containsIpImplementation, cost: getContainmentCost }],
  ["containsCIDR", { min: 2, max: 2, call: containsCidrImplementation, cost: getContainmentCost }],
  ["ip", { min: 1, max: 1, call: onKind("cidr", (network) => network.ip) }],
  ["prefixLength", { min: 1, max: 1, call: onKind("cidr", ({ prefixLength }) => BigInt(prefixLength)) }],
  ["masked", { min: 1, max: 1, call: onKind("cidr", maskCidr) }],
  defineUrlMethod("getScheme", ({ scheme }) => scheme),
  defineUrlMethod("getHost", ({ host }) => host),
  defineUrlMethod("getHostname", getHostname),
  defineUrlMethod("getPort", getPort),
  defineUrlMethod("getEscapedPath", ({ path }) => path),
  defineUrlMethod("getQuery", parseQuery),
];
