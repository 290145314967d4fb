import {
  type Json,
  type JsonNumber,
  type JsonObject,
  flagAt,
  isList,
  isNumber,
  isObject,
  textAt,
} from "../../model/json.ts";
import type { Shape, Place } from "./report.ts";
import {
  ANY,
  FLAG,
  INTEGER,
  NUMBER,
  TEXT,
  buildListShape,
  buildObjectShape,
  fieldsOf,
  requireShape,
  enter,
  refuse,
} from "./report.ts";
import { hasFeature } from "./server-features.ts";

export const JSON_TYPES = ["array", "boolean", "integer", "number", "object", "string"] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** The values of `type` that the API server accepts; "" allows any value. */
export const SCHEMA_TYPES: ReadonlySet<string> = new Set(["", ...JSON_TYPES]);

/** A rule of x-kubernetes-validations as written. */
export type RuleProps = {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string | undefined;
  readonly fieldPath: string;
  readonly optionalOldSelf: boolean | undefined;
};

/** The value of additionalProperties: a schema or a boolean. */
export type SchemaOrBool = { readonly allows: boolean; readonly schema: SchemaProps | undefined };

type NumberLimit = "multipleOf" | "maximum" | "minimum" | "minLength" | `${"max" | "min"}${"Items" | "Properties"}`;
type FlagLimit = "exclusiveMaximum" | "exclusiveMinimum" | "uniqueItems";

/** The limits of numbers, of texts (in code points), of lists and of maps. API servers multiply maxLength, which may overflow. */
export type ValueLimits = { readonly [Name in NumberLimit]: number | undefined } & {
  readonly maxLength: JsonNumber | undefined;
} & {
  readonly [Name in FlagLimit]: boolean;
};

/** A schema of a CRD as the API server decodes it: null is the same as absent, and so is empty unless stated otherwise. */
export type SchemaProps = {
  readonly raw: JsonObject;
  readonly type: string;
  readonly format: string;
  readonly nullable: boolean;
  readonly default: Json | undefined;
  readonly pattern: string;
  readonly limits: ValueLimits;
  readonly enum: readonly Json[];
  readonly required: readonly string[];
  readonly hasItems: boolean;
  readonly items: SchemaProps | undefined;
  readonly itemSchemas: readonly SchemaProps[];
  readonly properties: ReadonlyMap<string, SchemaProps>;
  readonly additional: SchemaOrBool | undefined;
  readonly allOf: readonly SchemaProps[];
  readonly anyOf: readonly SchemaProps[];
  readonly oneOf: readonly SchemaProps[];
  readonly not: SchemaProps | undefined;
  readonly preserve: boolean | undefined;
  readonly embedded: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly mapType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly rules: readonly RuleProps[];
};

const NO_LIMITS: ValueLimits = {
  multipleOf: undefined,
  maximum: undefined,
  exclusiveMaximum: false,
  minimum: undefined,
  exclusiveMinimum: false,
  maxLength: undefined,
  minLength: undefined,
  maxItems: undefined,
  minItems: undefined,
  uniqueItems: false,
  maxProperties: undefined,
  minProperties: undefined,
};

export const NO_PROPS: SchemaProps = {
  raw: {},
  type: "",
  format: "",
  nullable: false,
  default: undefined,
  pattern: "",
  limits: NO_LIMITS,
  enum: [],
  required: [],
  hasItems: false,
  items: undefined,
  itemSchemas: [],
  properties: new Map(),
  additional: undefined,
  allOf: [],
  anyOf: [],
  oneOf: [],
  not: undefined,
  preserve: undefined,
  embedded: false,
  intOrString: false,
  listType: undefined,
  mapType: undefined,
  listMapKeys: [],
  rules: [],
};

type Decode<T> = (value: Json, place: Place) => T;
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type Draft = Writable<Omit<SchemaProps, "limits">> & { limits: Writable<ValueLimits> };
type KeywordDecoder = (draft: Draft, value: Json, place: Place) => void;

function into<Key extends keyof SchemaProps>(key: Key, decode: Decode<SchemaProps[Key]>): KeywordDecoder {
  return (draft, value, place) => {
    draft[key] = decode(value, place);
  };
}

/** A keyword that must be decodable and is not read. */
function unread(decode: Decode<unknown>): KeywordDecoder {
  return (_, value, place) => void decode(value, place);
}

function shapeDecoder<T>(shape: Shape, read: (value: Json) => T): Decode<T> {
  return (value, place) => {
    requireShape(value, shape, place);
    return read(value);
  };
}

const RULE = buildObjectShape({
  ...fieldsOf(TEXT, "rule", "message", "messageExpression", "reason", "fieldPath"),
  optionalOldSelf: FLAG,
});
const EXTERNAL_DOCS = buildObjectShape({ description: TEXT, url: TEXT });

const any: Decode<Json> = (value) => value;
const text = shapeDecoder(TEXT, (value) => (typeof value === "string" ? value : ""));
const flag = shapeDecoder(FLAG, (value) => value === true);
const number = shapeDecoder(NUMBER, readNumber);
const integer = shapeDecoder(INTEGER, readNumber);
const exactInteger = shapeDecoder(INTEGER, (value) => (isNumber(value) ? value : undefined));
const values = shapeDecoder(buildListShape(ANY), readList);
const texts = shapeDecoder(buildListShape(TEXT), (value) =>
  readList(value).map((item) => (typeof item === "string" ? item : "")),
);
const rules: Decode<readonly RuleProps[]> = (value, place) => {
  requireShape(value, buildListShape(RULE), place);
  return readList(value).map((rule) => parseRule(rule, place.minor));
};

function readNumber(value: Json): number | undefined {
  return isNumber(value) ? Number(value) : undefined;
}

function readList(value: Json): readonly Json[] {
  return isList(value) ? value : [];
}

/** The API server drops what it does not know. */
function parseRule(raw: Json, minor: number): RuleProps {
  const hasReason = hasFeature("reasonAndFieldPath", minor);
  return {
    rule: textAt(raw, "rule") ?? "",
    message: textAt(raw, "message") ?? "",
    messageExpression: (hasFeature("messageExpression", minor) && textAt(raw, "messageExpression")) || "",
    reason: hasReason ? textAt(raw, "reason") : undefined,
    fieldPath: (hasReason && textAt(raw, "fieldPath")) || "",
    optionalOldSelf: hasFeature("optionalOldSelf", minor) ? flagAt(raw, "optionalOldSelf") : undefined,
  };
}

/** Keywords that are named like the property that they are decoded into. */
function same<Key extends keyof SchemaProps>(
  decode: Decode<SchemaProps[Key]>,
  ...keys: readonly Key[]
): readonly (readonly [string, KeywordDecoder])[] {
  return keys.map((key) => [key, into(key, decode)] as const);
}

function limit<Key extends keyof ValueLimits>(
  decode: Decode<ValueLimits[Key]>,
  ...keys: readonly Key[]
): readonly (readonly [string, KeywordDecoder])[] {
  return keys.map((key) => [
    key,
    (draft, value, place) => {
      if (draft.limits === NO_PROPS.limits) draft.limits = { ...draft.limits };
      draft.limits[key] = decode(value, place);
    },
  ]);
}

const DECODERS: ReadonlyMap<string, KeywordDecoder> = new Map<string, KeywordDecoder>([
  ...same(text, "type", "format", "pattern"),
  ...same(flag, "nullable"),
  ...limit(flag, "uniqueItems", "exclusiveMaximum", "exclusiveMinimum"),
  ...limit(number, "maximum", "minimum", "multipleOf"),
  ...limit(exactInteger, "maxLength"),
  ...limit(integer, "minLength", "maxItems", "minItems", "maxProperties", "minProperties"),
  ...same(schemas, "allOf", "anyOf", "oneOf"),
  ...same(any, "default"),
  ...same(values, "enum"),
  ...same(texts, "required"),
  ...same(decodeSchema, "not"),
  ...same(namedSchemas, "properties"),
  ["items", decodeItems],
  ["additionalProperties", into("additional", schemaOrBool)],
  ["x-kubernetes-preserve-unknown-fields", into("preserve", flag)],
  ["x-kubernetes-embedded-resource", into("embedded", flag)],
  ["x-kubernetes-int-or-string", into("intOrString", flag)],
  ["x-kubernetes-list-map-keys", into("listMapKeys", texts)],
  ["x-kubernetes-list-type", into("listType", text)],
  ["x-kubernetes-map-type", into("mapType", text)],
  ["x-kubernetes-validations", into("rules", rules)],
  ...["id", "$schema", "$ref", "description", "title"].map((keyword) => [keyword, unread(text)] as const),
  ["patternProperties", unread(namedSchemas)],
  ["definitions", unread(namedSchemas)],
  ["dependencies", unread(dependencies)],
  ["additionalItems", unread(schemaOrBool)],
  ["externalDocs", unread(shapeDecoder(EXTERNAL_DOCS, readList))],
  ["example", unread(any)],
]);

/** Other keywords are ignored. */
export function isSchemaKeyword(keyword: string): boolean {
  return DECODERS.has(keyword);
}

/** Decodes a schema, and refuses keywords of the wrong type. A null among schemas is an empty schema. */
export function decodeSchema(raw: Json, place: Place): SchemaProps {
  if (raw === null) return NO_PROPS;
  if (!isObject(raw)) {
    refuse(place, "", "must be an object");
    return NO_PROPS;
  }
  const draft: Draft = { ...NO_PROPS, raw };
  for (const keyword of Object.keys(raw)) {
    const value = raw[keyword] ?? undefined;
    if (value !== undefined) DECODERS.get(keyword)?.(draft, value, enter(place, `.${keyword}`));
  }
  return draft;
}

function schemas(value: Json, place: Place): readonly SchemaProps[] {
  if (!isList(value)) refuse(place, "", "must be a list");
  return readList(value).map((item, i) => decodeSchema(item, enter(place, `[${i}]`)));
}

function namedSchemas(value: Json, place: Place): ReadonlyMap<string, SchemaProps> {
  if (!isObject(value)) refuse(place, "", "must be an object");
  const named = isObject(value) ? Object.entries(value) : [];
  return new Map(named.map(([name, item]) => [name, decodeSchema(item, enter(place, `[${name}]`))]));
}

function schemaOrBool(value: Json, place: Place): SchemaOrBool {
  if (isObject(value)) return { allows: true, schema: decodeSchema(value, place) };
  if (typeof value !== "boolean") refuse(place, "", "must be true, false or a schema");
  return { allows: value === true, schema: undefined };
}

/** The API server ignores values of other types. */
function decodeItems(draft: Draft, value: Json, place: Place): void {
  draft.hasItems = true;
  if (isObject(value)) draft.items = decodeSchema(value, place);
  else if (isList(value)) draft.itemSchemas = schemas(value, place);
}

function dependencies(value: Json, place: Place): void {
  if (!isObject(value)) return refuse(place, "", "must be an object");
  for (const [name, item] of Object.entries(value)) {
    if (isObject(item)) decodeSchema(item, enter(place, `[${name}]`));
    else if (isList(item)) texts(item, enter(place, `[${name}]`));
  }
}
