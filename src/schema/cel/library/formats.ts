import {
  isBase64,
  isUuid,
  isLabelValue,
  isDns1035Label,
  isDns1123Subdomain,
  isQualifiedName,
  isDns1123Label,
  isDate,
  isDateTime,
  isRequestUri,
} from "../../openapi/index.ts";
import { PATTERN, actualSize, getTraversalCost } from "../values/size.ts";
import {
  type FormatValue,
  NO_OVERLOAD,
  OPTIONAL_NONE,
  type CelValue,
  buildList,
  buildOptional,
  isKind,
} from "../values/value.ts";
import { onText } from "./function-binding.ts";
import { type FunctionImplementation, buildApiServerLibrary } from "../runtime/function-table.ts";

function buildFormat(name: string, patternSize: number, validate: (text: string) => boolean): FormatValue {
  return { kind: "format", name, patternSize, validate };
}

/** Of a prefix a last dash counts as a letter. */
function allowTrailingDash(check: (text: string) => boolean): (text: string) => boolean {
  return (text) => check(text.length > 1 && text.endsWith("-") ? `${text.slice(0, -1)}a` : text);
}

const NAMED_FORMATS: ReadonlyMap<string, FormatValue> = new Map([
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
