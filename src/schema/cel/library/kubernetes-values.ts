import {
  addQuantities,
  toApproximateFloat,
  compareQuantities,
  subtractQuantities,
  parseQuantity,
  toQuantity,
  toInteger,
  compareVersions,
  parseNormalizedSemver,
  parseSemver,
} from "../values/numbers.ts";
import {
  type ExplainFormat,
  explainDns1035Label,
  explainDns1123Label,
  explainDns1123Subdomain,
  explainLabelValue,
  explainQualifiedName,
} from "./format-messages.ts";
import type { QuantityValue, CelValue, UrlValue, CidrValue, IpValue, OfKind, FormatValue } from "../values/value.ts";
import { NO_OVERLOAD, buildError, isKind, isError, OPTIONAL_NONE, buildList, buildOptional } from "../values/value.ts";
import type { FunctionImplementation, FunctionRow } from "../runtime/environment.ts";
import {
  PATTERN,
  READS_ONCE,
  actualSize,
  buildApiServerLibrary,
  defineComparisons,
  getTraversalCost,
  onKind,
  onText,
  traverseTwice,
} from "../runtime/environment.ts";
import { isRequestUri, isBase64, isUuid, isDate, isDateTime } from "../../openapi/index.ts";
import { getHostname, getPort, parseQuery, parseUrl } from "../values/addresses.ts";
import * as ip from "../values/addresses.ts";

function defineAddition(sign: 1 | -1): FunctionRow {
  const call: FunctionRow["call"] = ([of = null, other = null]) => {
    const more = typeof other === "bigint" ? toQuantity(other) : other;
    if (!isKind(of, "quantity") || !isKind(more, "quantity")) return NO_OVERLOAD;
    return sign === 1 ? addQuantities(of, more) : subtractQuantities(of, more);
  };
  return {
    types:
      "kubernetes.Quantity.(kubernetes.Quantity) kubernetes.Quantity | kubernetes.Quantity.(int) kubernetes.Quantity",
    call,
  };
}

function getSign({ unscaled }: QuantityValue): bigint {
  return unscaled === 0n ? 0n : unscaled > 0n ? 1n : -1n;
}

const readQuantity = onText((text) => parseQuantity(text) ?? buildError("unable to parse quantity's suffix"));
const asInteger = onKind("quantity", (value) => toInteger(value) ?? buildError("cannot convert value to integer"));
const isInteger = onKind("quantity", (value) => toInteger(value) !== undefined);

/** Of a constant, which may also have no value: it fails where it is called. */
function keepResult(call: FunctionImplementation): FunctionImplementation {
  let result: CelValue | undefined;
  return (values, meter) => (result ??= call(values, meter));
}

export const QUANTITIES = buildApiServerLibrary("quantities", {
  quantity: {
    types: "(string) kubernetes.Quantity",
    ...READS_ONCE,
    call: readQuantity,
    specialize: ([text]) => (typeof text === "string" ? keepResult(readQuantity) : undefined),
  },
  isQuantity: { types: "(string) bool", ...READS_ONCE, call: onText((text) => parseQuantity(text) !== undefined) },
  sign: { types: "(kubernetes.Quantity) int", call: onKind("quantity", getSign) },
  ...defineComparisons("kubernetes.Quantity", "quantity", compareQuantities),
  asApproximateFloat: { types: "kubernetes.Quantity.() double", call: onKind("quantity", toApproximateFloat) },
  asInteger: { types: "kubernetes.Quantity.() int", call: asInteger },
  isInteger: { types: "kubernetes.Quantity.() bool", call: isInteger },
  add: defineAddition(1),
  sub: defineAddition(-1),
});

function parseSemverArgument([text, loose = false]: readonly CelValue[]): CelValue {
  if (typeof text !== "string" || typeof loose !== "boolean") return NO_OVERLOAD;
  return (loose ? parseNormalizedSemver(text) : parseSemver(text)) ?? buildError("the text is no semantic version");
}

function isSemver(args: readonly CelValue[]): CelValue {
  const result = parseSemverArgument(args);
  return result === NO_OVERLOAD ? result : isKind(result, "semver");
}

function defineVersionPart(place: 0 | 1 | 2): FunctionRow {
  return { types: "kubernetes.Semver.() int", call: onKind("semver", ({ parts }) => BigInt.asIntN(64, parts[place])) };
}

export const SEMVER = buildApiServerLibrary("semver", {
  semver: {
    types: "(string) kubernetes.Semver | (string, bool) kubernetes.Semver",
    ...READS_ONCE,
    call: parseSemverArgument,
  },
  isSemver: { types: "(string) bool | (string, bool) bool", ...READS_ONCE, call: isSemver },
  ...defineComparisons("kubernetes.Semver", "semver", compareVersions),
  major: defineVersionPart(0),
  minor: defineVersionPart(1),
  patch: defineVersionPart(2),
});

const readUrl = onText((text) => parseUrl(text) ?? buildError("URL parse error during conversion from string"));

function defineUrlPart(get: (url: UrlValue) => CelValue, type = "string"): FunctionRow {
  return { types: `kubernetes.URL.() ${type}`, call: onKind("url", get) };
}

export const URLS = buildApiServerLibrary("rules", {
  url: { ...READS_ONCE, types: "(string) kubernetes.URL", call: readUrl },
  isURL: { types: "(string) bool", call: onText(isRequestUri) },
  getScheme: defineUrlPart(({ scheme }) => scheme),
  getHost: defineUrlPart(({ host }) => host),
  getHostname: defineUrlPart(getHostname),
  getPort: defineUrlPart(getPort),
  getEscapedPath: defineUrlPart(({ path }) => path),
  getQuery: defineUrlPart(parseQuery, "map(string, list(string))"),
});

const NARROW = "kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.ResourceCheck";

/** Declared in rules of CRDs too, which have no authorizer to call them on. */
export const AUTHORIZER = buildApiServerLibrary("authorizer", {
  path: { types: "kubernetes.authorization.Authorizer.(string) kubernetes.authorization.PathCheck" },
  group: { types: "kubernetes.authorization.Authorizer.(string) kubernetes.authorization.GroupCheck" },
  serviceAccount: { types: "kubernetes.authorization.Authorizer.(string, string) kubernetes.authorization.Authorizer" },
  resource: { types: "kubernetes.authorization.GroupCheck.(string) kubernetes.authorization.ResourceCheck" },
  subresource: { types: NARROW },
  namespace: { types: NARROW },
  name: { types: NARROW },
  fieldSelector: { types: `${NARROW} since authorizerSelectors` },
  labelSelector: { types: `${NARROW} since authorizerSelectors` },
  check: {
    types:
      "kubernetes.authorization.PathCheck.(string) kubernetes.authorization.Decision | kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.Decision",
  },
  allowed: { types: "kubernetes.authorization.Decision.() bool" },
  reason: { types: "kubernetes.authorization.Decision.() string" },
  errored: { types: "kubernetes.authorization.Decision.() bool since authorizerErrors" },
  error: { types: "kubernetes.authorization.Decision.() string since authorizerErrors" },
});

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

function buildFormat(name: string, patternSize: number, explain: ExplainFormat): FormatValue {
  return { kind: "format", name, patternSize, explain };
}

/** Of a prefix a last dash counts as a letter. */
function allowTrailingDash(explain: ExplainFormat): ExplainFormat {
  return (text) => explain(text.length > 1 && text.endsWith("-") ? `${text.slice(0, -1)}a` : text);
}

function explainBy(isValid: (text: string) => boolean, message: string): ExplainFormat {
  return (text) => (isValid(text) ? [] : [message]);
}

/** In Go's words for most of what is no URI. */
const explainUri: ExplainFormat = (text) =>
  isRequestUri(text) ? [] : [`parse ${JSON.stringify(text)}: ${text === "" ? "empty url" : "invalid URI for request"}`];

const NAMED_FORMATS: ReadonlyMap<string, FormatValue> = new Map([
  ["dns1123Label", buildFormat("DNS1123Label", 30, explainDns1123Label)],
  ["dns1123Subdomain", buildFormat("DNS1123Subdomain", 60, explainDns1123Subdomain)],
  ["dns1035Label", buildFormat("DNS1035Label", 30, explainDns1035Label)],
  ["qualifiedName", buildFormat("QualifiedName", 60, explainQualifiedName)],
  ["dns1123LabelPrefix", buildFormat("DNS1123LabelPrefix", 30, allowTrailingDash(explainDns1123Label))],
  ["dns1123SubdomainPrefix", buildFormat("DNS1123SubdomainPrefix", 60, allowTrailingDash(explainDns1123Subdomain))],
  ["dns1035LabelPrefix", buildFormat("DNS1035LabelPrefix", 30, allowTrailingDash(explainDns1035Label))],
  ["labelValue", buildFormat("LabelValue", 40, explainLabelValue)],
  ["uri", buildFormat("URI", 1_103, explainUri)],
  [
    "uuid",
    buildFormat(
      "uuid",
      120,
      explainBy((text) => isUuid(text), "does not match the UUID format"),
    ),
  ],
  ["byte", buildFormat("byte", 84, explainBy(isBase64, "invalid base64"))],
  ["date", buildFormat("date", 100, explainBy(isDate, "invalid date"))],
  ["datetime", buildFormat("datetime", 100, explainBy(isDateTime, "invalid datetime"))],
]);

const validateFormat: FunctionImplementation = ([of = null, text]) => {
  if (!isKind(of, "format") || typeof text !== "string") return NO_OVERLOAD;
  const faults = of.explain(text);
  return faults.length === 0 ? OPTIONAL_NONE : buildOptional(buildList(faults));
};

function getValidationCost([of = null, text = null]: readonly CelValue[]): number {
  const size = isKind(of, "format") ? of.patternSize : 1;
  return getTraversalCost(actualSize(text) + 1) * Math.ceil(size * PATTERN);
}

function findNamedFormat(name: string): CelValue {
  const result = NAMED_FORMATS.get(name);
  return result ? buildOptional(result) : OPTIONAL_NONE;
}

const FORMAT_ROWS = [...NAMED_FORMATS].map(
  ([name, format]) => [`format.${name}`, { types: "() kubernetes.NamedFormat", call: () => format }] as const,
);

export const FORMATS = buildApiServerLibrary("namedFormats", {
  ...Object.fromEntries(FORMAT_ROWS),
  "format.named": { types: "(string) optional_type(kubernetes.NamedFormat)", call: onText(findNamedFormat) },
  validate: {
    types: "kubernetes.NamedFormat.(string) optional_type(list(string))",
    call: validateFormat,
    cost: getValidationCost,
  },
});
