import { canonical } from "../model/json.ts";
import { type Source, flagIn, has, listIn, namedIn, raw, refuse, step } from "./keywords.ts";

/** Where a schema stands: on the spine that gives objects their structure, or below an alternative or a negation. */
export type Level = "root" | "items" | "field" | "nested";

const UNSUPPORTED = ["id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions"];
/** What only the spine may say. */
const SPINE_ONLY = [
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
export function requireStructural(source: Source, level: Level, typesAllowed: boolean): void {
  for (const keyword of UNSUPPORTED) {
    if (says(source, keyword)) refuse(step(source, keyword), "is not supported in a structural schema");
  }
  if (Array.isArray(raw(source, "items")))
    refuse(step(source, "items"), "is a list of schemas, which is not structural");
  if (level === "nested") requireNested(source, typesAllowed);
  else requireSpine(source, level);
}

function says(source: Source, keyword: string): boolean {
  const value = raw(source, keyword);
  return (
    value !== undefined && value !== false && value !== "" && canonical(value) !== "{}" && canonical(value) !== "[]"
  );
}

function requireNested(source: Source, typesAllowed: boolean): void {
  for (const keyword of SPINE_ONLY) {
    if (typesAllowed && keyword === "type") continue;
    if (says(source, keyword))
      refuse(step(source, keyword), "stands below an alternative or a negation, which is not structural");
  }
  if (has(source, "additionalProperties")) {
    refuse(step(source, "additionalProperties"), "stands below an alternative or a negation, which is not structural");
  }
  if (namedIn(source, "properties").some(([name]) => name === "metadata")) {
    refuse(step(source, "properties[metadata]"), "stands below an alternative or a negation, which is not structural");
  }
}

function requireSpine(source: Source, level: Level): void {
  const type = raw(source, "type") ?? "";
  const [intOrString, embedded] = [
    flagIn(source, "x-kubernetes-int-or-string"),
    flagIn(source, "x-kubernetes-embedded-resource"),
  ];
  const preserves = flagIn(source, "x-kubernetes-preserve-unknown-fields");
  if (raw(source, "x-kubernetes-preserve-unknown-fields") === false) {
    refuse(step(source, "x-kubernetes-preserve-unknown-fields"), "is false; it must be true or absent");
  }
  if (type === "" && !intOrString && !preserves) refuse(step(source, "type"), "is missing, which is not structural");
  if (type === "array" && !has(source, "items")) refuse(step(source, "items"), "is missing, which is not structural");
  if ((embedded || (level === "root" && type !== "")) && type !== "object")
    refuse(step(source, "type"), "must be object");
  if (intOrString && (preserves || embedded)) {
    refuse(step(source, "x-kubernetes-int-or-string"), "excludes unknown fields and embedded resources");
  }
  if (level === "root" && has(source, "additionalProperties")) {
    refuse(step(source, "additionalProperties"), "must not be used at the root");
  }
}

const INT_OR_STRING = canonical([{ type: "integer" }, { type: "string" }]);

/** May the schemas of `anyOf` name types? Only in the one pattern that goes with int-or-string. */
export function anyOfNamesTypes(source: Source): boolean {
  return canonical(listIn(source, "anyOf")) === INT_OR_STRING;
}
