import type { Json, JsonObject } from "../../../model/json.ts";

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

type NumberLimit = "multipleOf" | "maximum" | "minimum" | `${"max" | "min"}${"Length" | "Items" | "Properties"}`;
type FlagLimit = "exclusiveMaximum" | "exclusiveMinimum" | "uniqueItems";

/** The limits of numbers, of texts (in code points), of lists and of maps. */
export type ValueLimits = { readonly [Name in NumberLimit]: number | undefined } & {
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
