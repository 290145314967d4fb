import { isBase64, isUuid } from "../format-codes.ts";
import { isLabelValue, isLetterLabel, isLongName, isQualifiedName, isShortName } from "../format-names.ts";
import { isDate, isDateTime } from "../format-times.ts";
import { isRequestUri } from "../format-uri.ts";
import { type Act, type Named, isKind, on, onBoth, onText, traverses } from "./fn.ts";
import { costSize, PATTERN, traversal } from "./frame.ts";
import {
  addQuantities,
  approximate,
  compareQuantities,
  negatedQuantity,
  parseQuantity,
  quantityOf,
  wholeQuantity,
} from "./quantity.ts";
import { compareVersions, parseLooseSemver, parseSemver } from "./semver.ts";
import { type NamedFormat, NO_OVERLOAD, NOTHING, type Value, failure, listOf, optional } from "./value.ts";

function format(name: string, patternSize: number, validate: (text: string) => boolean): NamedFormat {
  return { kind: "format", name, patternSize, validate };
}

/** Of a prefix a last dash counts as a letter. */
function prefixOf(check: (text: string) => boolean): (text: string) => boolean {
  return (text) => check(text.length > 1 && text.endsWith("-") ? `${text.slice(0, -1)}a` : text);
}

const FORMATS: ReadonlyMap<string, NamedFormat> = new Map([
  ["dns1123Label", format("DNS1123Label", 30, isShortName)],
  ["dns1123Subdomain", format("DNS1123Subdomain", 60, isLongName)],
  ["dns1035Label", format("DNS1035Label", 30, isLetterLabel)],
  ["qualifiedName", format("QualifiedName", 60, isQualifiedName)],
  ["dns1123LabelPrefix", format("DNS1123LabelPrefix", 30, prefixOf(isShortName))],
  ["dns1123SubdomainPrefix", format("DNS1123SubdomainPrefix", 60, prefixOf(isLongName))],
  ["dns1035LabelPrefix", format("DNS1035LabelPrefix", 30, prefixOf(isLetterLabel))],
  ["labelValue", format("LabelValue", 40, isLabelValue)],
  ["uri", format("URI", 1_103, isRequestUri)],
  ["uuid", format("uuid", 120, (text) => isUuid(text))],
  ["byte", format("byte", 84, isBase64)],
  ["date", format("date", 100, isDate)],
  ["datetime", format("datetime", 100, isDateTime)],
]);

const validate: Act = ([of = null, text]) => {
  if (!isKind(of, "format") || typeof text !== "string") return NO_OVERLOAD;
  return of.validate(text) ? NOTHING : optional(listOf([`${JSON.stringify(text)} is no ${of.name}`]));
};

function validated([of = null, text = null]: readonly Value[]): number {
  const size = isKind(of, "format") ? of.patternSize : 1;
  return traversal(costSize(text) + 1) * Math.ceil(size * PATTERN);
}

function named(name: string): Value {
  const found = FORMATS.get(name);
  return found ? optional(found) : NOTHING;
}

const quantity = onText((text) => parseQuantity(text) ?? failure("unable to parse quantity's suffix"));

function semver([text, loose = false]: readonly Value[]): Value {
  if (typeof text !== "string" || typeof loose !== "boolean") return NO_OVERLOAD;
  return (loose ? parseLooseSemver(text) : parseSemver(text)) ?? failure("the text is no semantic version");
}

function isSemver(args: readonly Value[]): Value {
  const found = semver(args);
  return found === NO_OVERLOAD ? found : isKind(found, "semver");
}

/** Of two quantities or two versions. */
function compared(tell: (order: number) => Value): Act {
  return (args) => {
    const [first = null] = args;
    if (isKind(first, "semver")) return onBoth("semver", (a, b) => tell(compareVersions(a, b)))(args);
    return onBoth("quantity", (a, b) => tell(compareQuantities(a, b)))(args);
  };
}

function added(sign: 1 | -1): Act {
  return ([of = null, other = null]) => {
    const more = typeof other === "bigint" ? quantityOf(other) : other;
    if (!isKind(of, "quantity") || !isKind(more, "quantity")) return NO_OVERLOAD;
    return addQuantities(of, sign === 1 ? more : negatedQuantity(more));
  };
}

function version(place: 0 | 1 | 2): Act {
  return on("semver", ({ parts }) => BigInt.asIntN(64, parts[place]));
}

function isZero(value: Value): boolean {
  return (
    value === null ||
    value === false ||
    value === 0n ||
    value === 0 ||
    value === "" ||
    (typeof value === "object" && value.kind !== "failure" && isEmpty(value))
  );
}

function isEmpty(value: Exclude<Value, null | string | number | bigint | boolean>): boolean {
  if (value.kind === "list" || value.kind === "json" || value.kind === "map" || value.kind === "bytes") {
    return costSize(value) === 0;
  }
  if (value.kind === "uint") return value.value === 0n;
  if (value.kind === "duration") return value.nanos === 0n;
  return value.kind === "optional" && value.value === undefined;
}

export const KIND_GLOBALS: Named = [
  ["quantity", { least: 1, most: 1, act: quantity, cost: traverses }],
  ["isQuantity", { least: 1, most: 1, act: onText((text) => parseQuantity(text) !== undefined), cost: traverses }],
  [
    "sign",
    { least: 1, most: 1, act: on("quantity", ({ unscaled }) => (unscaled === 0n ? 0n : unscaled > 0n ? 1n : -1n)) },
  ],
  ["semver", { least: 1, most: 2, act: semver, cost: traverses }],
  ["isSemver", { least: 1, most: 2, act: isSemver, cost: traverses }],
  ["format.named", { least: 1, most: 1, act: onText(named) }],
  ...[...FORMATS].map(([name, found]): Named[number] => [`format.${name}`, { least: 0, most: 0, act: () => found }]),
  ["optional.none", { least: 0, most: 0, act: () => NOTHING }],
  ["optional.of", { least: 1, most: 1, act: ([value = null]) => optional(value) }],
  [
    "optional.ofNonZeroValue",
    { least: 1, most: 1, act: ([value = null]) => (isZero(value) ? NOTHING : optional(value)) },
  ],
];

export const KIND_METHODS: Named = [
  ["validate", { least: 2, most: 2, act: validate, cost: validated }],
  ["isGreaterThan", { least: 2, most: 2, act: compared((order) => order > 0) }],
  ["isLessThan", { least: 2, most: 2, act: compared((order) => order < 0) }],
  ["compareTo", { least: 2, most: 2, act: compared((order) => BigInt(order)) }],
  ["asApproximateFloat", { least: 1, most: 1, act: on("quantity", approximate) }],
  [
    "asInteger",
    {
      least: 1,
      most: 1,
      act: on("quantity", (value) => wholeQuantity(value) ?? failure("cannot convert value to integer")),
    },
  ],
  ["isInteger", { least: 1, most: 1, act: on("quantity", (value) => wholeQuantity(value) !== undefined) }],
  ["add", { least: 2, most: 2, act: added(1) }],
  ["sub", { least: 2, most: 2, act: added(-1) }],
  ["major", { least: 1, most: 1, act: version(0) }],
  ["minor", { least: 1, most: 1, act: version(1) }],
  ["patch", { least: 1, most: 1, act: version(2) }],
  [
    "value",
    {
      least: 1,
      most: 1,
      act: on("optional", ({ value }) => value ?? (value === null ? null : failure("optional.none() dereference"))),
    },
  ],
];
