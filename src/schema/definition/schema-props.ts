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

function valueOf(object: JsonObject, key: string): Json | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return value === null ? undefined : value;
}

function textOf(object: JsonObject, key: string): string | undefined {
  const value = valueOf(object, key);
  return typeof value === "string" ? value : undefined;
}

function flagOf(object: JsonObject, key: string): boolean | undefined {
  const value = valueOf(object, key);
  return typeof value === "boolean" ? value : undefined;
}

function numberOf(object: JsonObject, key: string): number | undefined {
  const value = valueOf(object, key);
  return typeof value === "number" ? value : undefined;
}

function listOf(object: JsonObject, key: string): readonly Json[] {
  const value = valueOf(object, key);
  return isList(value) ? value : [];
}

function textsOf(object: JsonObject, key: string): readonly string[] {
  return listOf(object, key).map((text) => (typeof text === "string" ? text : ""));
}

/** A null among schemas is an empty schema. */
function schemaOf(value: Json | undefined): SchemaProps | undefined {
  if (value === null) return NO_PROPS;
  return isObject(value) ? schemaProps(value) : undefined;
}

function schemasOf(object: JsonObject, key: string): readonly SchemaProps[] {
  const list = listOf(object, key);
  return list.length === 0 ? NO_SCHEMAS : list.map((item) => schemaOf(item) ?? NO_PROPS);
}

function namedOf(object: JsonObject, key: string): ReadonlyMap<string, SchemaProps> {
  const value = valueOf(object, key);
  if (!isObject(value)) return NO_PROPERTIES;
  return new Map(Object.entries(value).map(([name, item]) => [name, schemaOf(item) ?? NO_PROPS]));
}

function additionalOf(raw: JsonObject): SchemaOrBool | undefined {
  const value = valueOf(raw, "additionalProperties");
  if (value === undefined) return undefined;
  const schema = schemaOf(value);
  return { allows: schema !== undefined || value === true, schema };
}

/** Parses a schema that is known to be decodable. */
export function schemaProps(raw: JsonObject): SchemaProps {
  const items = valueOf(raw, "items");
  return {
    raw,
    type: textOf(raw, "type") ?? "",
    format: textOf(raw, "format") ?? "",
    nullable: flagOf(raw, "nullable") ?? false,
    default: valueOf(raw, "default"),
    pattern: textOf(raw, "pattern") ?? "",
    uniqueItems: flagOf(raw, "uniqueItems") ?? false,
    maxLength: numberOf(raw, "maxLength"),
    maxItems: numberOf(raw, "maxItems"),
    maxProperties: numberOf(raw, "maxProperties"),
    enum: listOf(raw, "enum"),
    required: textsOf(raw, "required"),
    hasItems: items !== undefined,
    items: isObject(items) ? schemaProps(items) : undefined,
    itemSchemas: schemasOf(raw, "items"),
    properties: namedOf(raw, "properties"),
    additional: additionalOf(raw),
    allOf: schemasOf(raw, "allOf"),
    anyOf: schemasOf(raw, "anyOf"),
    oneOf: schemasOf(raw, "oneOf"),
    not: schemaOf(valueOf(raw, "not")),
    preserve: flagOf(raw, "x-kubernetes-preserve-unknown-fields"),
    embedded: flagOf(raw, "x-kubernetes-embedded-resource") ?? false,
    intOrString: flagOf(raw, "x-kubernetes-int-or-string") ?? false,
    listType: textOf(raw, "x-kubernetes-list-type"),
    mapType: textOf(raw, "x-kubernetes-map-type"),
    listMapKeys: textsOf(raw, "x-kubernetes-list-map-keys"),
    rules: listOf(raw, "x-kubernetes-validations").map(ruleProps),
  };
}

function ruleProps(value: Json): RuleProps {
  const raw = isObject(value) ? value : {};
  return {
    rule: textOf(raw, "rule") ?? "",
    message: textOf(raw, "message") ?? "",
    messageExpression: textOf(raw, "messageExpression") ?? "",
    reason: textOf(raw, "reason"),
    fieldPath: textOf(raw, "fieldPath") ?? "",
    optionalOldSelf: flagOf(raw, "optionalOldSelf"),
  };
}
