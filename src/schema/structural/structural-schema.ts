import type { RE2JS } from "re2js";
import type { Json } from "../../model/json.ts";

export type JsonType = "array" | "boolean" | "integer" | "number" | "object" | "string";

/** Says whether a string is of a format. */
export type FormatValidator = (text: string) => boolean;

export type NumberLimits = {
  readonly multipleOf: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
};

/** Lengths are in code points. */
export type TextLimits = {
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: RE2JS | undefined;
};

export type ListLimits = {
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly uniqueItems: boolean;
};

export type MapLimits = {
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
};

/** Allowed values; `texts` are the strings among them. */
export type AllowedValues = { readonly values: readonly Json[]; readonly strings: ReadonlySet<string> };

/** A value that stands in for a missing one, the defaults within it applied. */
export type Default = { readonly value: Json };

/** x-kubernetes-list-type, as far as it is checked. */
export type ListType = { readonly kind: "set" } | { readonly kind: "map"; readonly keys: readonly string[] };

/** What alternatives and negations hold. Each is a Node of which only the value validation is used. */
export type LogicalJunctors = {
  readonly allOf: readonly StructuralSchema[];
  readonly anyOf: readonly StructuralSchema[];
  readonly oneOf: readonly StructuralSchema[];
  readonly not: StructuralSchema | undefined;
};

/** A CEL rule as a schema holds it; "" where it says nothing. */
export type ValidationRule = {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
  readonly fieldPath: string;
  /** Does it look at `oldSelf`? `always`: a transition rule, which is skipped where nothing is replaced. */
  readonly usesOldSelf: "no" | "perhaps" | "always";
};

/**
 * A CEL rule and where it stands in the schema: "spec.list[*].x", "" at the root. `fieldPath` is as it is appended to paths.
 */
export type SchemaRule = ValidationRule & { readonly location: string };

/** One schema, read once. Every node has the same fields in the same order, which keeps reading them fast. */
export type StructuralSchema = {
  /** None: any type. Two: int-or-string. */
  readonly types: readonly JsonType[];
  readonly nullable: boolean;
  /** "" where the API server ignores the format. */
  readonly format: string;
  readonly formatValidator: FormatValidator | undefined;
  readonly enum: AllowedValues | undefined;
  readonly number: NumberLimits | undefined;
  readonly text: TextLimits | undefined;
  readonly list: ListLimits | undefined;
  readonly map: MapLimits | undefined;
  readonly junctors: LogicalJunctors | undefined;
  readonly properties: ReadonlyMap<string, StructuralSchema>;
  /** The properties that have a default, by name. */
  readonly defaults: ReadonlyMap<string, Default>;
  /** additionalProperties: a schema, or a plain yes or no. */
  readonly additionalProperties: StructuralSchema | boolean | undefined;
  readonly items: StructuralSchema | undefined;
  readonly default: Default | undefined;
  readonly preserveUnknownFields: boolean;
  readonly isEmbeddedResource: boolean;
  readonly listType: ListType | undefined;
  readonly rules: readonly SchemaRule[];
  /** Does this node or one below it have a list type or an embedded resource? */
  readonly hasExtensions: boolean;
  readonly hasRules: boolean;
  /** Can rules see its values? They can where it and what it holds are typed. */
  readonly isVisibleToRules: boolean;
};

/** The schema below additionalProperties, where there is one. */
export function getAdditionalSchema(
  schema: Pick<StructuralSchema, "additionalProperties">,
): StructuralSchema | undefined {
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
}
