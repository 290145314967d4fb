import { type Json, type JsonObject, isList, isObject } from "../../model/json.ts";

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

/** A schema of a CRD as the API server decodes it: null is the same as absent, and so is empty unless stated otherwise. */
export type SchemaProps = {
  readonly raw: JsonObject;
  readonly type: string;
  readonly format: string;
  readonly nullable: boolean;
  readonly default: Json | undefined;
  readonly pattern: string;
  readonly uniqueItems: boolean;
  readonly maxLength: number | undefined;
  readonly maxItems: number | undefined;
  readonly maxProperties: number | undefined;
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

const NO_SCHEMAS: readonly SchemaProps[] = [];
const NO_PROPERTIES: ReadonlyMap<string, SchemaProps> = new Map();

export const NO_PROPS: SchemaProps = {
  raw: {},
  type: "",
  format: "",
  nullable: false,
  default: undefined,
  pattern: "",
  uniqueItems: false,
  maxLength: undefined,
  maxItems: undefined,
  maxProperties: undefined,
  enum: [],
  required: [],
  hasItems: false,
  items: undefined,
  itemSchemas: NO_SCHEMAS,
  properties: NO_PROPERTIES,
  additional: undefined,
  allOf: NO_SCHEMAS,
  anyOf: NO_SCHEMAS,
  oneOf: NO_SCHEMAS,
  not: undefined,
  preserve: undefined,
  embedded: false,
  intOrString: false,
  listType: undefined,
  mapType: undefined,
  listMapKeys: [],
  rules: [],
};

function getValue(object: JsonObject, key: string): Json | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return value === null ? undefined : value;
}

function getText(object: JsonObject, key: string): string | undefined {
  const value = getValue(object, key);
  return typeof value === "string" ? value : undefined;
}

function getFlag(object: JsonObject, key: string): boolean | undefined {
  const value = getValue(object, key);
  return typeof value === "boolean" ? value : undefined;
}

function getNumber(object: JsonObject, key: string): number | undefined {
  const value = getValue(object, key);
  return typeof value === "number" ? value : undefined;
}

function getList(object: JsonObject, key: string): readonly Json[] {
  const value = getValue(object, key);
  return isList(value) ? value : [];
}

function getTexts(object: JsonObject, key: string): readonly string[] {
  return getList(object, key).map((text) => (typeof text === "string" ? text : ""));
}

/** A null among schemas is an empty schema. */
function getSchema(value: Json | undefined): SchemaProps | undefined {
  if (value === null) return NO_PROPS;
  return isObject(value) ? schemaProps(value) : undefined;
}

function getSchemas(object: JsonObject, key: string): readonly SchemaProps[] {
  const list = getList(object, key);
  return list.length === 0 ? NO_SCHEMAS : list.map((item) => getSchema(item) ?? NO_PROPS);
}

function getNamedSchemas(object: JsonObject, key: string): ReadonlyMap<string, SchemaProps> {
  const value = getValue(object, key);
  if (!isObject(value)) return NO_PROPERTIES;
  return new Map(Object.entries(value).map(([name, item]) => [name, getSchema(item) ?? NO_PROPS]));
}

function getAdditional(raw: JsonObject): SchemaOrBool | undefined {
  const value = getValue(raw, "additionalProperties");
  if (value === undefined) return undefined;
  const schema = getSchema(value);
  return { allows: schema !== undefined || value === true, schema };
}

/** Parses a schema that is known to be decodable. */
export function schemaProps(raw: JsonObject): SchemaProps {
  const items = getValue(raw, "items");
  return {
    raw,
    type: getText(raw, "type") ?? "",
    format: getText(raw, "format") ?? "",
    nullable: getFlag(raw, "nullable") ?? false,
    default: getValue(raw, "default"),
    pattern: getText(raw, "pattern") ?? "",
    uniqueItems: getFlag(raw, "uniqueItems") ?? false,
    maxLength: getNumber(raw, "maxLength"),
    maxItems: getNumber(raw, "maxItems"),
    maxProperties: getNumber(raw, "maxProperties"),
    enum: getList(raw, "enum"),
    required: getTexts(raw, "required"),
    hasItems: items !== undefined,
    items: isObject(items) ? schemaProps(items) : undefined,
    itemSchemas: getSchemas(raw, "items"),
    properties: getNamedSchemas(raw, "properties"),
    additional: getAdditional(raw),
    allOf: getSchemas(raw, "allOf"),
    anyOf: getSchemas(raw, "anyOf"),
    oneOf: getSchemas(raw, "oneOf"),
    not: getSchema(getValue(raw, "not")),
    preserve: getFlag(raw, "x-kubernetes-preserve-unknown-fields"),
    embedded: getFlag(raw, "x-kubernetes-embedded-resource") ?? false,
    intOrString: getFlag(raw, "x-kubernetes-int-or-string") ?? false,
    listType: getText(raw, "x-kubernetes-list-type"),
    mapType: getText(raw, "x-kubernetes-map-type"),
    listMapKeys: getTexts(raw, "x-kubernetes-list-map-keys"),
    rules: getList(raw, "x-kubernetes-validations").map(ruleProps),
  };
}

function ruleProps(value: Json): RuleProps {
  const raw = isObject(value) ? value : {};
  return {
    rule: getText(raw, "rule") ?? "",
    message: getText(raw, "message") ?? "",
    messageExpression: getText(raw, "messageExpression") ?? "",
    reason: getText(raw, "reason"),
    fieldPath: getText(raw, "fieldPath") ?? "",
    optionalOldSelf: getFlag(raw, "optionalOldSelf"),
  };
}
