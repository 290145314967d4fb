import { isBase64, isUuid } from "../../formats/codes.ts";
import {
  isLabelValue,
  isDns1035Label,
  isDns1123Subdomain,
  isQualifiedName,
  isDns1123Label,
} from "../../formats/names.ts";
import { isDate, isDateTime } from "../../formats/times.ts";
import { isRequestUri } from "../../formats/uri.ts";
import {
  type FunctionImplementation,
  type NamedFunctions,
  isKind,
  onKind,
  onSameKind,
  onText,
  traverseOnce,
} from "./function-binding.ts";
import { actualSize, REGEX_LENGTH_COST_FACTOR, getTraversalCost } from "./activation.ts";
import {
  addQuantities,
  toApproximateFloat,
  compareQuantities,
  negateQuantity,
  parseQuantity,
  toQuantity,
  toInteger,
} from "./values/quantity.ts";
import { compareVersions, parseNormalizedSemver, parseSemver } from "./values/semver.ts";
import {
  type FormatValue,
  NO_OVERLOAD,
  OPTIONAL_NONE,
  type CelValue,
  buildError,
  buildList,
  buildOptional,
} from "./values/value.ts";

function buildFormat(name: string, patternSize: number, validate: (text: string) => boolean): FormatValue {
  return { kind: "format", name, patternSize, validate };
}

/** Of a prefix a last dash counts as a letter. */
function allowTrailingDash(check: (text: string) => boolean): (text: string) => boolean {
  return (text) => check(text.length > 1 && text.endsWith("-") ? `${text.slice(0, -1)}a` : text);
}

const FORMATS: ReadonlyMap<string, FormatValue> = new Map([
  ["dns1123Label", buildFormat("DNS1123Label", 30, isDns1123Label)],
  ["dns1123Subdomain", buildFormat("DNS1123Subdomain", 60, isDns1123Subdomain)],
  ["dns1035Label", buildFormat("DNS1035Label", 30, isDns1035Label)],
  ["qualifiedName", buildFormat("QualifiedName", 60, isQualifiedName)],
  ["dns1123LabelPrefix", buildFormat("DNS1123LabelPrefix", 30, allowTrailingDash(isDns1123Label))],
  ["dns1123SubdomainPrefix", buildFormat("DNS1123SubdomainPrefix", 60, allowTrailingDash(isDns1123Subdomain))],
  ["dns1035LabelPrefix", buildFormat("DNS1035LabelPrefix", 30, allowTrailingDash(isDns1035Label))],
  ["labelValue", buildFormat("LabelValue", 40, isLabelValue)],
  ["uri", buildFormat("URI", 1_103, isRequestUri)],
  ["uuid", buildFormat("uuid", 120, (text) => isUuid(text))],
  ["byte", buildFormat("byte", 84, isBase64)],
  ["date", buildFormat("date", 100, isDate)],
  ["datetime", buildFormat("datetime", 100, isDateTime)],
]);

const validateFormat: FunctionImplementation = ([of = null, text]) => {
  if (!isKind(of, "format") || typeof text !== "string") return NO_OVERLOAD;
  return of.validate(text) ? OPTIONAL_NONE : buildOptional(buildList([`${JSON.stringify(text)} is no ${of.name}`]));
};

function getValidationCost([of = null, text = null]: readonly CelValue[]): number {
  const size = isKind(of, "format") ? of.patternSize : 1;
  return getTraversalCost(actualSize(text) + 1) * Math.ceil(size * REGEX_LENGTH_COST_FACTOR);
}

function findNamedFormat(name: string): CelValue {
  const result = FORMATS.get(name);
  return result ? buildOptional(result) : OPTIONAL_NONE;
}

const parseQuantityArgument = onText((text) => parseQuantity(text) ?? buildError("unable to parse quantity's suffix"));

function parseSemverArgument([text, loose = false]: readonly CelValue[]): CelValue {
  if (typeof text !== "string" || typeof loose !== "boolean") return NO_OVERLOAD;
  return (loose ? parseNormalizedSemver(text) : parseSemver(text)) ?? buildError("the text is no semantic version");
}

function isSemver(args: readonly CelValue[]): CelValue {
  const result = parseSemverArgument(args);
  return result === NO_OVERLOAD ? result : isKind(result, "semver");
}

/** Of two quantities or two versions. */
function compareBy(tell: (order: number) => CelValue): FunctionImplementation {
  return (args) => {
    const [first = null] = args;
    if (isKind(first, "semver")) return onSameKind("semver", (a, b) => tell(compareVersions(a, b)))(args);
    return onSameKind("quantity", (a, b) => tell(compareQuantities(a, b)))(args);
  };
}

function addSigned(sign: 1 | -1): FunctionImplementation {
  return ([of = null, other = null]) => {
    const more = typeof other === "bigint" ? toQuantity(other) : other;
    if (!isKind(of, "quantity") || !isKind(more, "quantity")) return NO_OVERLOAD;
    return addQuantities(of, sign === 1 ? more : negateQuantity(more));
  };
}

function selectVersionPart(place: 0 | 1 | 2): FunctionImplementation {
  return onKind("semver", ({ parts }) => BigInt.asIntN(64, parts[place]));
}

function isZeroValue(value: CelValue): boolean {
  return (
    value === null ||
    value === false ||
    value === 0n ||
    value === 0 ||
    value === "" ||
    (typeof value === "object" && value.kind !== "failure" && isEmptyValue(value))
  );
}

function isEmptyValue(value: Exclude<CelValue, null | string | number | bigint | boolean>): boolean {
  if (value.kind === "list" || value.kind === "json" || value.kind === "map" || value.kind === "bytes") {
    return actualSize(value) === 0;
  }
  if (value.kind === "uint") return value.value === 0n;
  if (value.kind === "duration") return value.nanos === 0n;
  return value.kind === "optional" && value.value === undefined;
}

export const VALUE_TYPE_GLOBALS: NamedFunctions = [
  ["quantity", { min: 1, max: 1, call: parseQuantityArgument, cost: traverseOnce }],
  ["isQuantity", { min: 1, max: 1, call: onText((text) => parseQuantity(text) !== undefined), cost: traverseOnce }],
  [
    "sign",
    { min: 1, max: 1, call: onKind("quantity", ({ unscaled }) => (unscaled === 0n ? 0n : unscaled > 0n ? 1n : -1n)) },
  ],
  ["semver", { min: 1, max: 2, call: parseSemverArgument, cost: traverseOnce }],
  ["isSemver", { min: 1, max: 2, call: isSemver, cost: traverseOnce }],
  ["format.named", { min: 1, max: 1, call: onText(findNamedFormat) }],
  ...[...FORMATS].map(([name, result]): NamedFunctions[number] => [
    `format.${name}`,
    { min: 0, max: 0, call: () => result },
  ]),
  ["optional.none", { min: 0, max: 0, call: () => OPTIONAL_NONE }],
  ["optional.of", { min: 1, max: 1, call: ([value = null]) => buildOptional(value) }],
  [
    "optional.ofNonZeroValue",
    { min: 1, max: 1, call: ([value = null]) => (isZeroValue(value) ? OPTIONAL_NONE : buildOptional(value)) },
  ],
];

export const VALUE_TYPE_METHODS: NamedFunctions = [
  ["validate", { min: 2, max: 2, call: validateFormat, cost: getValidationCost }],
  ["isGreaterThan", { min: 2, max: 2, call: compareBy((order) => order > 0) }],
  ["isLessThan", { min: 2, max: 2, call: compareBy((order) => order < 0) }],
  ["compareTo", { min: 2, max: 2, call: compareBy((order) => BigInt(order)) }],
  ["asApproximateFloat", { min: 1, max: 1, call: onKind("quantity", toApproximateFloat) }],
  [
    "asInteger",
    {
      min: 1,
      max: 1,
      call: onKind("quantity", (value) => toInteger(value) ?? buildError("cannot convert value to integer")),
    },
  ],
  ["isInteger", { min: 1, max: 1, call: onKind("quantity", (value) => toInteger(value) !== undefined) }],
  ["add", { min: 2, max: 2, call: addSigned(1) }],
  ["sub", { min: 2, max: 2, call: addSigned(-1) }],
  ["major", { min: 1, max: 1, call: selectVersionPart(0) }],
  ["minor", { min: 1, max: 1, call: selectVersionPart(1) }],
  ["patch", { min: 1, max: 1, call: selectVersionPart(2) }],
  [
    "value",
    {
      min: 1,
      max: 1,
      call: onKind(
        "optional",
        ({ value }) => value ?? (value === null ? null : buildError("optional.none() dereference")),
      ),
    },
  ],
];
