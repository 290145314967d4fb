import type { RE2JS } from "re2js";
import type { Json } from "../../model/json.ts";
import type { JsonType, RuleProps, ValueLimits } from "./schema-props.ts";

/** `unknown`: a type that does not exist, which only null has, if it is nullable. An installed CRD may have such types. */
export type SchemaType = JsonType | "unknown";

/** Is a string valid for a format? */
export type FormatValidator = (text: string) => boolean;

/** Allowed values; `strings` are the strings among them. */
export type AllowedValues = { readonly values: readonly Json[]; readonly strings: ReadonlySet<string> };

/** The value for a missing field, with nested defaults applied; `readValue`: of one that is missing in etcd. */
export type Default = { readonly value: Json; readonly readValue: Json };

/** The values of x-kubernetes-list-type that affect validation. */
export type ListType =
  | { readonly kind: "set" }
  /** `needsAllKeys`: server-side apply does not accept an item that has only some. */
  | { readonly kind: "map"; readonly keys: readonly string[]; readonly needsAllKeys: boolean };

/** The schemas of allOf, anyOf, oneOf and not. Only their value validations are used. */
export type LogicalJunctors = {
  readonly allOf: readonly StructuralSchema[];
  readonly anyOf: readonly StructuralSchema[];
  readonly oneOf: readonly StructuralSchema[];
  readonly not: StructuralSchema | undefined;
};

/** The type by which server-side apply reads a value; a scalar is anything but a list or an object. */
export type ApplyType = "any" | "scalar" | Exclude<JsonType, "integer">;

/** A CEL rule and its path in the schema: "spec.list[*].x", "" for the root. `fieldPath` is formatted for appending to paths. */
export type SchemaRule = RuleProps & {
  /** Does it use `oldSelf`? `always`: a transition rule, which is skipped if no value is replaced. */
  readonly usesOldSelf: "no" | "perhaps" | "always";
  readonly location: string;
};

/** A schema, parsed once. All nodes have the same fields in the same order, which keeps property access fast. */
export type StructuralSchema = {
  /** Empty: any type. Two types: int-or-string. */
  readonly types: readonly SchemaType[];
  readonly nullable: boolean;
  /** "" if the API server ignores the format. */
  readonly format: string;
  readonly formatValidator: FormatValidator | undefined;
  readonly enum: AllowedValues | undefined;
  readonly limits: ValueLimits;
  readonly pattern: RE2JS | undefined;
  readonly required: readonly string[];
  readonly junctors: LogicalJunctors | undefined;
  readonly properties: ReadonlyMap<string, StructuralSchema>;
  /** The properties that have a default, by name. */
  readonly defaults: ReadonlyMap<string, Default>;
  /** A schema or a boolean. */
  readonly additionalProperties: StructuralSchema | boolean | undefined;
  readonly items: StructuralSchema | undefined;
  readonly default: Default | undefined;
  readonly preserveUnknownFields: boolean;
  readonly isEmbeddedResource: boolean;
  readonly listType: ListType | undefined;
  readonly rules: readonly SchemaRule[];
  /** Does this schema or one below it have a list type or an embedded resource? */
  readonly hasExtensions: boolean;
  readonly applyType: ApplyType;
  readonly hasRules: boolean;
  /** Do API servers take fields that rules can't find (null, or a name that needs escaping) for equal? */
  readonly equatesHidden: boolean;
  /** Can rules see its values? They can if it and everything below has a type. */
  readonly isVisibleToRules: boolean;
};

/** The fields that the API server itself defines in every resource. */
export const META: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** The schema of a field: its property's, or else that of additionalProperties. */
export function getFieldSchema(schema: StructuralSchema, field: string): StructuralSchema | undefined {
  return schema.properties.get(field) ?? getAdditionalSchema(schema);
}

/** The schema of additionalProperties, if it is not a boolean. */
export function getAdditionalSchema(
  schema: Pick<StructuralSchema, "additionalProperties">,
): StructuralSchema | undefined {
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
}
