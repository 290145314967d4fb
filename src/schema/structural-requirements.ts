import { formatCanonicalJson } from "../model/json.ts";
import {
  type JsonSchema,
  getFlag,
  hasKeyword,
  getList,
  getNamedSchemas,
  getKeyword,
  rejectSchema,
  joinKeyword,
} from "./json-schema.ts";

/** The level of a schema: in the structure of objects, or nested below allOf, anyOf, oneOf or not. */
export type SchemaLevel = "root" | "items" | "field" | "nested";

const UNSUPPORTED_KEYWORDS = [
  "id",
  "$schema",
  "$ref",
  "patternProperties",
  "dependencies",
  "additionalItems",
  "definitions",
];
/** Keywords that are not allowed in nested schemas. */
const STRUCTURE_ONLY_KEYWORDS = [
  "type",
  "default",
  "title",
  "nullable",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
  "x-kubernetes-validations",
];

/**
 * Rejects what an API server rejects as not structural, except for fields that only a nested schema names: validation of the definition
 * finds those, and here they change nothing, because unknown fields are pruned first.
 */
export function requireStructural(json: JsonSchema, level: SchemaLevel, canNameTypes: boolean): void {
  for (const keyword of UNSUPPORTED_KEYWORDS) {
    if (isKeywordSet(json, keyword))
      rejectSchema(joinKeyword(json, keyword), "is not supported in a structural schema");
  }
  if (isNonEmptyList(getKeyword(json, "items")))
    rejectSchema(joinKeyword(json, "items"), "is a list of schemas, which is not structural");
  if (level === "nested") requireNestedValueValidation(json, canNameTypes);
  else requireStructure(json, level);
}

function isKeywordSet(json: JsonSchema, keyword: string): boolean {
  const value = getKeyword(json, keyword);
  return (
    value !== undefined &&
    value !== false &&
    value !== "" &&
    formatCanonicalJson(value) !== "{}" &&
    formatCanonicalJson(value) !== "[]"
  );
}

function isNonEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function requireNestedValueValidation(json: JsonSchema, canNameTypes: boolean): void {
  for (const keyword of STRUCTURE_ONLY_KEYWORDS) {
    if (canNameTypes && keyword === "type") continue;
    if (isKeywordSet(json, keyword))
      rejectSchema(joinKeyword(json, keyword), "is not allowed below allOf, anyOf, oneOf or not");
  }
  if ((getKeyword(json, "additionalProperties") ?? false) !== false) {
    rejectSchema(joinKeyword(json, "additionalProperties"), "is not allowed below allOf, anyOf, oneOf or not");
  }
  if (getNamedSchemas(json, "properties").some(([name]) => name === "metadata")) {
    rejectSchema(joinKeyword(json, "properties[metadata]"), "is not allowed below allOf, anyOf, oneOf or not");
  }
}

function requireStructure(json: JsonSchema, level: SchemaLevel): void {
  const type = getKeyword(json, "type") ?? "";
  const [intOrString, embedded] = [
    getFlag(json, "x-kubernetes-int-or-string"),
    getFlag(json, "x-kubernetes-embedded-resource"),
  ];
  const preserves = getFlag(json, "x-kubernetes-preserve-unknown-fields");
  if (getKeyword(json, "x-kubernetes-preserve-unknown-fields") === false) {
    rejectSchema(joinKeyword(json, "x-kubernetes-preserve-unknown-fields"), "is false; it must be true or absent");
  }
  if (type === "" && !intOrString && !preserves)
    rejectSchema(joinKeyword(json, "type"), "is missing, which is not structural");
  if (type === "array" && !hasKeyword(json, "items"))
    rejectSchema(joinKeyword(json, "items"), "is missing, which is not structural");
  if ((embedded || (level === "root" && type !== "")) && type !== "object")
    rejectSchema(joinKeyword(json, "type"), "must be object");
  if (intOrString && (preserves || embedded)) {
    rejectSchema(joinKeyword(json, "x-kubernetes-int-or-string"), "excludes unknown fields and embedded resources");
  }
  if (level === "root" && hasKeyword(json, "additionalProperties")) {
    rejectSchema(joinKeyword(json, "additionalProperties"), "must not be used at the root");
  }
}

const INT_OR_STRING_ANY_OF = formatCanonicalJson([{ type: "integer" }, { type: "string" }]);

/** May the schemas of `anyOf` name types? Only in the pattern of int-or-string. */
export function isIntOrStringAnyOfPattern(json: JsonSchema): boolean {
  return formatCanonicalJson(getList(json, "anyOf")) === INT_OR_STRING_ANY_OF;
}
