import { type Json, type JsonObject, isList, isObject } from "../../model/json.ts";
import { coerceObjectMeta } from "../objectmeta/coercion.ts";
import { type Report, refuse } from "./report.ts";

/** The type that the API server decodes a field into. Null counts as absent for all of them. */
export type Shape =
  | { readonly kind: "plain"; readonly expected: string; readonly fits: (value: Json) => boolean }
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Shape> };

/** Refuses what the API server can't decode, apart from schemas. Unknown fields are ignored. */
export function requireDecodable(definition: JsonObject, report: Report): void {
  const metadata = definition["metadata"] ?? {};
  const normal = coerceObjectMeta(metadata);
  if (normal.kind === "wrong") refuse(report, "metadata", normal.message.replace(/^.*can't be read: /, ""));
  const { spec } = definition;
  if (spec !== undefined) requireShape(spec, SPEC, "spec", report);
}

export function requireShape(value: Json, shape: Shape, path: string, report: Report): void {
  if (value === null) return;
  switch (shape.kind) {
    case "list":
      return requireList(value, shape.item, path, report);
    case "object":
      return requireFields(value, shape.fields, path, report);
    case "plain":
      if (!shape.fits(value)) refuse(report, path, `must be ${shape.expected}`);
  }
}

function requireList(value: Json, item: Shape, path: string, report: Report): void {
  if (!isList(value)) return refuse(report, path, "must be a list");
  for (const [i, one] of value.entries()) requireShape(one, item, `${path}[${i}]`, report);
}

function requireFields(value: Json, fields: ReadonlyMap<string, Shape>, path: string, report: Report): void {
  if (!isObject(value)) return refuse(report, path, "must be an object");
  for (const [key, one] of Object.entries(value)) {
    const shape = fields.get(key);
    if (shape) requireShape(one, shape, `${path}.${key}`, report);
  }
}

function buildPlainShape(expected: string, fits: (value: Json) => boolean): Shape {
  return { kind: "plain", expected, fits };
}

function buildIntegerShape(bits: 32 | 64): Shape {
  return buildPlainShape(
    "an integer",
    (value) => Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** (bits - 1),
  );
}

export const ANY = buildPlainShape("anything", () => true);
export const TEXT = buildPlainShape("a string", (value) => typeof value === "string");
export const FLAG = buildPlainShape("true or false", (value) => typeof value === "boolean");
export const NUMBER = buildPlainShape("a number", (value) => typeof value === "number");
export const INTEGER = buildIntegerShape(64);

function isBase64(text: string): boolean {
  const plain = text.replaceAll(/[\r\n]/g, "");
  return plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain);
}

export function buildObjectShape(fields: Readonly<Record<string, Shape>>): Shape {
  return { kind: "object", fields: new Map(Object.entries(fields)) };
}

export function buildListShape(item: Shape): Shape {
  return { kind: "list", item };
}

const SMALL = buildIntegerShape(32);
const BYTES = buildPlainShape("a text in base64", (value) => typeof value === "string" && isBase64(value));
const SCALE = buildObjectShape({ specReplicasPath: TEXT, statusReplicasPath: TEXT, labelSelectorPath: TEXT });
const COLUMN = buildObjectShape({
  name: TEXT,
  type: TEXT,
  format: TEXT,
  description: TEXT,
  priority: SMALL,
  jsonPath: TEXT,
});
const VERSION = buildObjectShape({
  name: TEXT,
  served: FLAG,
  storage: FLAG,
  deprecated: FLAG,
  deprecationWarning: TEXT,
  schema: buildObjectShape({ openAPIV3Schema: buildObjectShape({}) }),
  subresources: buildObjectShape({ status: buildObjectShape({}), scale: SCALE }),
  additionalPrinterColumns: buildListShape(COLUMN),
  selectableFields: buildListShape(buildObjectShape({ jsonPath: TEXT })),
});
const SERVICE = buildObjectShape({ namespace: TEXT, name: TEXT, path: TEXT, port: SMALL });
const CLIENT = buildObjectShape({ url: TEXT, service: SERVICE, caBundle: BYTES });
const WEBHOOK = buildObjectShape({ clientConfig: CLIENT, conversionReviewVersions: buildListShape(TEXT) });
const SPEC = buildObjectShape({
  group: TEXT,
  names: buildObjectShape({
    plural: TEXT,
    singular: TEXT,
    shortNames: buildListShape(TEXT),
    kind: TEXT,
    listKind: TEXT,
    categories: buildListShape(TEXT),
  }),
  scope: TEXT,
  versions: buildListShape(VERSION),
  conversion: buildObjectShape({ strategy: TEXT, webhook: WEBHOOK }),
  preserveUnknownFields: FLAG,
});
