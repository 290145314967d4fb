import {
  type JsonObject,
  at,
  formatCanonicalJson,
  isList,
  listAt,
  numberAt,
  textAt,
  textsAt,
} from "../../../model/json.ts";
import { type Inclusion, NEWEST_MINOR, type TextLimits, compareTexts, findFormat } from "../../openapi/index.ts";
import { compileSchema } from "../objects/schema-compiler.ts";
import { validateObject } from "../writes/object-validation.ts";
import { type Tightening, describeKeyword, isSame, isTighter } from "./keywords.ts";

/**
 * The limits of texts that exclude what was allowed. Each is compared with all that was allowed: a maxLength of 5 excludes nothing where
 * the pattern allowed five characters at most.
 */
export function compareTextLimits(before: JsonObject, after: JsonObject): readonly Tightening[] {
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
