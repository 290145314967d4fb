import { type Act, type Named, isKind, on, onText, traverses, traversesTwice } from "./fn.ts";
import { costSize, traversal } from "./frame.ts";
import {
  containsCidr,
  containsIp,
  ipText,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  masked,
  parseCidr,
  parseIp,
} from "./ip.ts";
import { isRequestUri } from "../format-uri.ts";
import { hostname, parseUrl, port, queryOf } from "./url.ts";
import { type Ip, NO_OVERLOAD, type Url, type Value, failure } from "./value.ts";

const NO_IP = "parse error during conversion from string";

function ip(text: string): Value {
  return parseIp(text) ?? failure(`IP Address ${JSON.stringify(text)} ${NO_IP}`);
}

function cidr(text: string): Value {
  return parseCidr(text) ?? failure(`network address ${NO_IP}: ${text}`);
}

function isCanonical(text: string): Value {
  const found = parseIp(text);
  return found ? ipText(found) === text : failure(`IP Address ${JSON.stringify(text)} ${NO_IP}`);
}

const containing: Act = ([net = null, other = null]) => {
  if (!isKind(net, "cidr")) return NO_OVERLOAD;
  const found = typeof other === "string" ? ip(other) : other;
  if (typeof found === "object" && found?.kind === "failure") return found;
  return isKind(found, "ip") ? containsIp(net, found) : NO_OVERLOAD;
};

const containingNet: Act = ([net = null, other = null]) => {
  if (!isKind(net, "cidr")) return NO_OVERLOAD;
  const found = typeof other === "string" ? cidr(other) : other;
  if (typeof found === "object" && found?.kind === "failure") return found;
  return isKind(found, "cidr") ? containsCidr(net, found) : NO_OVERLOAD;
};

function contained([net = null, other = null]: readonly Value[]): number {
  const parsed = typeof other === "string" ? traversal(costSize(other)) : 0;
  return traversal(costSize(net) * 3) + 1 + parsed;
}

function ofIp(name: string, test: (ip: Ip) => Value): Named[number] {
  return [name, { least: 1, most: 1, act: on("ip", test) }];
}

function ofUrl(name: string, get: (url: Url) => Value): Named[number] {
  return [name, { least: 1, most: 1, act: on("url", get) }];
}

export const NET_GLOBALS: Named = [
  ["ip", { least: 1, most: 1, act: onText(ip), cost: traverses }],
  ["isIP", { least: 1, most: 1, act: onText((text) => parseIp(text) !== undefined), cost: traverses }],
  ["ip.isCanonical", { least: 1, most: 1, act: onText(isCanonical), cost: traversesTwice }],
  ["cidr", { least: 1, most: 1, act: onText(cidr), cost: traverses }],
  ["isCIDR", { least: 1, most: 1, act: onText((text) => parseCidr(text) !== undefined), cost: traverses }],
  ["url", { least: 1, most: 1, act: onText((text) => parseUrl(text) ?? failure(`URL ${NO_IP}`)), cost: traverses }],
  ["isURL", { least: 1, most: 1, act: onText(isRequestUri) }],
];

export const NET_METHODS: Named = [
  ofIp("family", ({ bytes }) => (bytes.length === 4 ? 4n : 6n)),
  ofIp("isUnspecified", isUnspecified),
  ofIp("isLoopback", isLoopback),
  ofIp("isLinkLocalMulticast", isLinkLocalMulticast),
  ofIp("isLinkLocalUnicast", isLinkLocalUnicast),
  ofIp("isGlobalUnicast", isGlobalUnicast),
  ["containsIP", { least: 2, most: 2, act: containing, cost: contained }],
  ["containsCIDR", { least: 2, most: 2, act: containingNet, cost: contained }],
  ["ip", { least: 1, most: 1, act: on("cidr", (net) => net.ip) }],
  ["prefixLength", { least: 1, most: 1, act: on("cidr", ({ bits }) => BigInt(bits)) }],
  ["masked", { least: 1, most: 1, act: on("cidr", masked) }],
  ofUrl("getScheme", ({ scheme }) => scheme),
  ofUrl("getHost", ({ host }) => host),
  ofUrl("getHostname", hostname),
  ofUrl("getPort", port),
  ofUrl("getEscapedPath", ({ path }) => path),
  ofUrl("getQuery", queryOf),
];
