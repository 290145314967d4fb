import type { Shape } from "./decode.ts";

const TEXT: Shape = { kind: "text" };
const FLAG: Shape = { kind: "flag" };
const NUMBER: Shape = { kind: "number" };
const INTEGER: Shape = { kind: "integer", bits: 64 };
const SCHEMA: Shape = { kind: "schema" };
const ANY: Shape = { kind: "any" };
const TEXTS: Shape = { kind: "list", item: TEXT };
const SCHEMAS: Shape = { kind: "list", item: SCHEMA };
const NAMED: Shape = { kind: "map", value: SCHEMA };

const RULE: Shape = {
  kind: "object",
  fields: new Map<string, Shape>([
    ["rule", TEXT],
    ["message", TEXT],
    ["messageExpression", TEXT],
    ["reason", TEXT],
    ["fieldPath", TEXT],
    ["optionalOldSelf", FLAG],
  ]),
};

/** The fields of JSONSchemaProps. */
export const SCHEMA_FIELDS: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["id", TEXT],
  ["$schema", TEXT],
  ["$ref", TEXT],
  ["description", TEXT],
  ["type", TEXT],
  ["format", TEXT],
  ["title", TEXT],
  ["default", ANY],
  ["maximum", NUMBER],
  ["exclusiveMaximum", FLAG],
  ["minimum", NUMBER],
  ["exclusiveMinimum", FLAG],
  ["maxLength", INTEGER],
  ["minLength", INTEGER],
  ["pattern", TEXT],
  ["maxItems", INTEGER],
  ["minItems", INTEGER],
  ["uniqueItems", FLAG],
  ["multipleOf", NUMBER],
  ["enum", { kind: "list", item: ANY }],
  ["maxProperties", INTEGER],
  ["minProperties", INTEGER],
  ["required", TEXTS],
  ["items", { kind: "schemaOr", other: "schemas" }],
  ["allOf", SCHEMAS],
  ["oneOf", SCHEMAS],
  ["anyOf", SCHEMAS],
  ["not", SCHEMA],
  ["properties", NAMED],
  ["additionalProperties", { kind: "schemaOr", other: "flag" }],
  ["patternProperties", NAMED],
  ["dependencies", { kind: "map", value: { kind: "schemaOr", other: "texts" } }],
  ["additionalItems", { kind: "schemaOr", other: "flag" }],
  ["definitions", NAMED],
  [
    "externalDocs",
    {
      kind: "object",
      fields: new Map([
        ["description", TEXT],
        ["url", TEXT],
      ]),
    },
  ],
  ["example", ANY],
  ["nullable", FLAG],
  ["x-kubernetes-preserve-unknown-fields", FLAG],
  ["x-kubernetes-embedded-resource", FLAG],
  ["x-kubernetes-int-or-string", FLAG],
  ["x-kubernetes-list-map-keys", TEXTS],
  ["x-kubernetes-list-type", TEXT],
  ["x-kubernetes-map-type", TEXT],
  ["x-kubernetes-validations", { kind: "list", item: RULE }],
]);
