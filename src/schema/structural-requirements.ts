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

/** Where a schema stands: on the spine that gives objects their structure, or below an alternative or a negation. */
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
/** What only the spine may say. */
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
 * Refuses what an API server refuses as not structural. Left to it: whether an alternative names a field that the spine lacks, which it
 * checks at the root only and which changes nothing here, since such a field is unknown and pruned before.
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
      rejectSchema(joinKeyword(json, keyword), "stands below an alternative or a negation, which is not structural");
  }
  if ((getKeyword(json, "additionalProperties") ?? false) !== false) {
    rejectSchema(
      joinKeyword(json, "additionalProperties"),
      "stands below an alternative or a negation, which is not structural",
    );
  }
  if (getNamedSchemas(json, "properties").some(([name]) => name === "metadata")) {
    rejectSchema(
      joinKeyword(json, "properties[metadata]"),
      "stands below an alternative or a negation, which is not structural",
    );
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

/** May the schemas of `anyOf` name types? Only in the one pattern that goes with int-or-string. */
export function isIntOrStringAnyOfPattern(json: JsonSchema): boolean {
  return formatCanonicalJson(getList(json, "anyOf")) === INT_OR_STRING_ANY_OF;
}
