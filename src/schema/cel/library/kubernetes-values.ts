import {
  addQuantities,
  toApproximateFloat,
  compareQuantities,
  subtractQuantities,
  parseQuantity,
  toQuantity,
  toInteger,
} from "../values/quantity.ts";
import { NO_OVERLOAD, type QuantityValue, buildError, isKind, type CelValue, type UrlValue } from "../values/value.ts";
import { READS_ONCE, defineComparisons, onKind, onText } from "./function-binding.ts";
import { type FunctionRow, buildApiServerLibrary } from "../runtime/function-table.ts";
import { compareVersions, parseNormalizedSemver, parseSemver } from "../values/semver.ts";
import { isRequestUri } from "../../openapi/index.ts";
import { getHostname, getPort, parseQuery, parseUrl } from "../values/url.ts";

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

export const QUANTITIES = buildApiServerLibrary("quantities", {
  quantity: { types: "(string) kubernetes.Quantity", ...READS_ONCE, call: readQuantity },
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
