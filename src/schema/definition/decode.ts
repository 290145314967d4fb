import { type Json, type JsonObject, isList, isObject } from "../../model/json.ts";
import { coerceObjectMeta } from "../objectmeta/coercion.ts";
import { type Report, refuse } from "./report.ts";
import { SCHEMA_FIELDS } from "./schema-fields.ts";

/** The type that the API server decodes a field into. Null counts as absent for all of them. */
export type Shape =
  | { readonly kind: "any" }
  | { readonly kind: "text" }
  | { readonly kind: "flag" }
  | { readonly kind: "number" }
  | { readonly kind: "integer"; readonly bits: 32 | 64 }
  | { readonly kind: "bytes" }
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "map"; readonly value: Shape }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Shape> }
  | { readonly kind: "schema" }
  /** A schema, or else a boolean, a list of schemas or a list of names. */
  | { readonly kind: "schemaOr"; readonly other: "flag" | "schemas" | "texts" };

/** Refuses what the API server can't decode. Unknown fields are ignored. */
export function requireDecodable(definition: JsonObject, report: Report): void {
  const metadata = definition["metadata"] ?? {};
  const normal = coerceObjectMeta(metadata);
  if (normal.kind === "wrong") refuse(report, "metadata", normal.message.replace(/^.*can't be read: /, ""));
  const { spec } = definition;
  if (spec !== undefined) requireShape(spec, SPEC, "spec", report);
}

function requireShape(value: Json, shape: Shape, path: string, report: Report): void {
  if (value === null) return;
  switch (shape.kind) {
    case "any":
      return;
    case "list":
      return requireList(value, shape.item, path, report);
    case "map":
      return requireMap(value, shape.value, path, report);
    case "object":
      return requireFields(value, shape.fields, path, report);
    case "schema":
      return requireFields(value, SCHEMA_FIELDS, path, report);
    case "schemaOr":
      return requireSchemaOr(value, shape.other, path, report);
    case "text":
    case "flag":
    case "number":
    case "integer":
    case "bytes":
      if (!isPlain(value, shape)) refuse(report, path, `must be ${NAMES[shape.kind]}`);
  }
}

type PlainShape = Extract<Shape, { kind: "text" | "flag" | "number" | "integer" | "bytes" }>;

const NAMES = {
  text: "a string",
  flag: "true or false",
  number: "a number",
  integer: "an integer",
  bytes: "a text in base64",
} as const;

function isPlain(value: Json, shape: PlainShape): boolean {
  switch (shape.kind) {
    case "text":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number";
    case "integer":
      return typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= 2 ** (shape.bits - 1);
    case "bytes":
      return typeof value === "string" && isBase64(value);
  }
}

function isBase64(text: string): boolean {
  const plain = text.replaceAll(/[\r\n]/g, "");
  return plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain);
}

function requireList(value: Json, item: Shape, path: string, report: Report): void {
  if (!isList(value)) return refuse(report, path, "must be a list");
  for (const [i, one] of value.entries()) requireShape(one, item, `${path}[${i}]`, report);
}

function requireMap(value: Json, shape: Shape, path: string, report: Report): void {
  if (!isObject(value)) return refuse(report, path, "must be an object");
  for (const [key, one] of Object.entries(value)) requireShape(one, shape, `${path}[${key}]`, report);
}

function requireFields(value: Json, fields: ReadonlyMap<string, Shape>, path: string, report: Report): void {
  if (!isObject(value)) return refuse(report, path, "must be an object");
  for (const [key, one] of Object.entries(value)) {
    const shape = fields.get(key);
    if (shape) requireShape(one, shape, `${path}.${key}`, report);
  }
}

const SCHEMA: Shape = { kind: "schema" };
const TEXT: Shape = { kind: "text" };
const FLAG: Shape = { kind: "flag" };

/** The API server ignores values of other types, but requires a boolean or a schema if `other` is "flag". */
function requireSchemaOr(value: Json, other: "flag" | "schemas" | "texts", path: string, report: Report): void {
  if (isObject(value)) return requireShape(value, SCHEMA, path, report);
  if (other === "flag") {
    if (typeof value !== "boolean") refuse(report, path, "must be true, false or a schema");
  } else if (isList(value)) requireList(value, other === "texts" ? TEXT : SCHEMA, path, report);
}

function decodeObject(fields: Readonly<Record<string, Shape>>): Shape {
  return { kind: "object", fields: new Map(Object.entries(fields)) };
}

function decodeList(item: Shape): Shape {
  return { kind: "list", item };
}

const SMALL: Shape = { kind: "integer", bits: 32 };
const SCALE = decodeObject({ specReplicasPath: TEXT, statusReplicasPath: TEXT, labelSelectorPath: TEXT });
const COLUMN = decodeObject({
  name: TEXT,
  type: TEXT,
  format: TEXT,
  description: TEXT,
  priority: SMALL,
  jsonPath: TEXT,
});
const VERSION = decodeObject({
  name: TEXT,
  served: FLAG,
  storage: FLAG,
  deprecated: FLAG,
  deprecationWarning: TEXT,
  schema: decodeObject({ openAPIV3Schema: SCHEMA }),
  subresources: decodeObject({ status: decodeObject({}), scale: SCALE }),
  additionalPrinterColumns: decodeList(COLUMN),
  selectableFields: decodeList(decodeObject({ jsonPath: TEXT })),
});
const SERVICE = decodeObject({ namespace: TEXT, name: TEXT, path: TEXT, port: SMALL });
const CLIENT = decodeObject({ url: TEXT, service: SERVICE, caBundle: { kind: "bytes" } });
const WEBHOOK = decodeObject({ clientConfig: CLIENT, conversionReviewVersions: decodeList(TEXT) });
const SPEC = decodeObject({
  group: TEXT,
  names: decodeObject({
    plural: TEXT,
    singular: TEXT,
    shortNames: decodeList(TEXT),
    kind: TEXT,
    listKind: TEXT,
    categories: decodeList(TEXT),
  }),
  scope: TEXT,
  versions: decodeList(VERSION),
  conversion: decodeObject({ strategy: TEXT, webhook: WEBHOOK }),
  preserveUnknownFields: FLAG,
});
