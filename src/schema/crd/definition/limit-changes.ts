import type { Json, JsonObject } from "../../../model/json.ts";
import { at, flagAt, formatCanonicalJson, isList, listAt, numberAt, textAt, textsAt } from "../../../model/json.ts";
import type { Inclusion, TextLimits } from "../../openapi/index.ts";
import { NEWEST_MINOR, compareTexts, findFormat, fitsFormat } from "../../openapi/index.ts";
import { compileSchema } from "../objects/schema-compiler.ts";
import { validateObject } from "../writes/object-validation.ts";

/** The limits of a schema that exclude more than those of another. */
export function compareLimits(before: JsonObject, after: JsonObject): readonly Tightening[] {
  const keys = [
    ...listTighterRange(before, after, LOWER),
    ...listTighterRange(before, after, UPPER),
    ...LOWER_SIZES.filter((key) => isTighter(before, after, key, 1)),
    ...UPPER_SIZES.filter((key) => isTighter(before, after, key, -1)),
    ...["multipleOf", "x-kubernetes-list-type", "x-kubernetes-map-type"].filter((key) =>
      isNarrower(before, after, key),
    ),
    ...["uniqueItems", "x-kubernetes-embedded-resource"].filter((key) => isNewFlag(before, after, key)),
  ];
  const sure = keys.map((key) => ({ message: describeKeyword(key, before, after), isSure: true }));
  return [...sure, ...listUnfitLimits(before, after, keys), ...compareTextLimits(before, after)];
}

/** Limits that refuse numbers for what they are themselves, and did not before. `known`: told otherwise. */
function listUnfitLimits(before: JsonObject, after: JsonObject, known: readonly string[]): readonly Tightening[] {
  return [LOWER.key, UPPER.key].flatMap((key) => {
    const then = describeUnfit(after, key);
    if (then === undefined || known.includes(key) || describeUnfit(before, key) !== undefined) return [];
    const isSure = then === NO_INTEGER;
    return [{ message: `Its ${key} is ${shorten(after[key])}, ${then}.`, isSure }];
  });
}

const NO_INTEGER = "which is beyond 64 bits, so that no integer is valid";
const NO_NUMBER = "which does not fit its type and format, so that Kubernetes 1.36 and later accept no number";

/** An API server reads a maximum from 2^63 on as the least integer. From 1.36 on, it holds each limit against type and format. */
function describeUnfit(schema: JsonObject, key: string): string | undefined {
  const limit = numberAt(schema, key);
  if (limit === undefined) return undefined;
  if (key === UPPER.key && limit >= 2 ** 63) return NO_INTEGER;
  return fitsFormat(limit, textAt(schema, "type") ?? "", textAt(schema, "format") ?? "") ? undefined : NO_NUMBER;
}

type Range = { readonly key: string; readonly flag: string; readonly sign: 1 | -1 };

const LOWER: Range = { key: "minimum", flag: "exclusiveMinimum", sign: 1 };
const UPPER: Range = { key: "maximum", flag: "exclusiveMaximum", sign: -1 };
const LOWER_SIZES = ["minItems", "minProperties"];
const UPPER_SIZES = ["maxItems", "maxProperties"];

/** An exclusive limit of an integer is the next integer. */
function listTighterRange(before: JsonObject, after: JsonObject, { key, flag, sign }: Range): readonly string[] {
  const keys = [
    ...(isTighter(before, after, key, sign) ? [key] : []),
    ...(isNewFlag(before, after, flag) ? [flag] : []),
  ];
  const old = numberAt(before, key);
  const now = numberAt(after, key);
  if (old === undefined || now === undefined) return now === undefined ? [] : keys;
  const isWhole = textAt(before, "type") === "integer" && Number.isSafeInteger(old) && Number.isInteger(now);
  const step = isWhole ? 1 : 0;
  const oldLimit = old * sign + (flagAt(before, flag) === true ? step : 0);
  const limit = now * sign + (flagAt(after, flag) === true ? step : 0);
  return limit < oldLimit || (isWhole && limit === oldLimit) ? [] : keys;
}

function isNarrower(before: JsonObject, after: JsonObject, key: string): boolean {
  if (after[key] === undefined || isSame(before[key], after[key])) return false;
  if (key === "multipleOf") return !isMultiple(numberAt(before, key), numberAt(after, key));
  return !["atomic", "granular"].includes(textAt(after, key) ?? "");
}

function isMultiple(old: number | undefined, now: number | undefined): boolean {
  return Number.isSafeInteger(old) && Number.isSafeInteger(now) && now !== 0 && Number(old) % Number(now) === 0;
}

/**
 * The limits of texts that exclude what was allowed. Each is compared with all that was allowed: a maxLength of 5 excludes nothing where
 * the pattern allowed five characters at most.
 */
function compareTextLimits(before: JsonObject, after: JsonObject): readonly Tightening[] {
  const old = readLimits(before);
  const now = readLimits(after);
  return [
    ...(isSame(before["pattern"], after["pattern"])
      ? []
      : compareLimit("pattern", before, after, [old, { pattern: now.pattern }])),
    ...(isTighter(before, after, "minLength", 1)
      ? compareLimit("minLength", before, after, [old, { minLength: now.minLength }])
      : []),
    ...(isTighter(before, after, "maxLength", -1)
      ? compareLimit("maxLength", before, after, [old, { maxLength: now.maxLength }])
      : []),
    ...(isNarrowerFormat(before, after) ? [{ message: describeKeyword("format", before, after), isSure: true }] : []),
  ];
}

function readLimits(schema: JsonObject): TextLimits {
  return {
    pattern: textAt(schema, "pattern"),
    minLength: numberAt(schema, "minLength"),
    maxLength: numberAt(schema, "maxLength"),
  };
}

function compareLimit(
  key: keyof TextLimits,
  before: JsonObject,
  after: JsonObject,
  [old, now]: readonly [TextLimits, TextLimits],
): readonly Tightening[] {
  const result = compareAllowed(before, old, now);
  if (result.kind === "included") return [];
  const message = describeKeyword(key, before, after);
  if (result.kind === "undecided") return [{ message: `${message} That may allow less.`, isSure: false }];
  // Something else may have excluded that text before, and then others may have been allowed.
  return fits(before, result.text)
    ? [{ message: old.pattern === undefined ? message : describeRefused(key, message, result.text), isSure: true }]
    : [{ message: `${message} That may allow less.`, isSure: false }];
}

const MAX_EXAMPLE = 40;

/** With an example, where that is not as good as the number. */
function describeRefused(key: keyof TextLimits, message: string, text: string): string {
  if (key !== "pattern" || text.length > MAX_EXAMPLE) return message;
  return `${message} It no longer allows ${JSON.stringify(text)}.`;
}

function compareAllowed(before: JsonObject, old: TextLimits, now: TextLimits): Inclusion {
  const texts = listEnumTexts(before);
  if (texts === undefined) return compareTexts(old, now);
  const schema = {
    type: "string",
    ...Object.fromEntries(Object.entries(now).filter(([, limit]) => limit !== undefined)),
  };
  const refused = texts.find((text) => fits(before, text) && !fits(schema, text));
  return refused === undefined ? { kind: "included" } : { kind: "refused", text: refused };
}

/** The values that are allowed, if all are texts. */
function listEnumTexts(schema: JsonObject): readonly string[] | undefined {
  const texts = textsAt(schema, "enum");
  return isList(at(schema, "enum")) && texts.length === listAt(schema, "enum").length ? texts : undefined;
}

const NARROWING = ["format", "enum", "allOf", "anyOf", "oneOf", "not", "x-kubernetes-validations"];

/** Whether a schema allows a text that fits its pattern and lengths. */
function fits(schema: JsonObject, text: string): boolean {
  if (schema["type"] === "string" && schema["pattern"] !== undefined && !NARROWING.some((key) => key in schema))
    return true;
  const compiled = compileSchema(formatCanonicalJson({ type: "object", properties: { text: schema } }));
  if (compiled.kind === "refused") return false;
  const { errors, unevaluatedRules } = validateObject(compiled, { text });
  return errors.every(({ path }) => !path.startsWith("text")) && unevaluatedRules.length === 0;
}

/** Texts of a format that also are of another one. */
const WIDER: ReadonlyMap<string, readonly string[]> = new Map([
  ["uuid", ["uuid3", "uuid4", "uuid5"]],
  ["isbn", ["isbn10", "isbn13"]],
]);

/** API servers ignore formats that they don't know, and those of numbers; "password" allows any text. */
function isNarrowerFormat(before: JsonObject, after: JsonObject): boolean {
  const old = findTextFormat(before);
  const now = findTextFormat(after);
  if (now.validator === undefined || now.name === "password" || now.name === old.name) return false;
  const texts = listEnumTexts(before);
  if (texts !== undefined) return !texts.every(now.validator);
  return !(WIDER.get(now.name) ?? []).includes(old.name);
}

function findTextFormat(schema: JsonObject): ReturnType<typeof findFormat> {
  const { name, validator } = findFormat(textAt(schema, "format") ?? "", ["string"], NEWEST_MINOR);
  return { name: name.replaceAll("-", ""), validator };
}

/** `isSure`: a value that was allowed no longer is. Else that could not be decided. */
export type Tightening = { readonly message: string; readonly isSure: boolean };

function isTighter(before: JsonObject, after: JsonObject, key: string, sign: 1 | -1): boolean {
  const old = numberAt(before, key);
  const now = numberAt(after, key);
  return now !== undefined && (old === undefined || (now - old) * sign > 0);
}

function isNewFlag(before: JsonObject, after: JsonObject, key: string): boolean {
  return flagAt(after, key) === true && flagAt(before, key) !== true;
}

export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && formatCanonicalJson(a) === formatCanonicalJson(b));
}

function describeKeyword(key: string, before: JsonObject, after: JsonObject): string {
  const old = before[key];
  return `Its ${key} is ${shorten(after[key])}, and was ${old === undefined ? "not set" : shorten(old)}.`;
}

const MAX_LENGTH = 80;

export function shorten(value: Json | undefined): string {
  const text = typeof value === "string" ? value : formatCanonicalJson(value ?? null);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}
