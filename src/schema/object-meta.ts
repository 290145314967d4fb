import { type Json, type JsonObject, isList, isObject } from "../model/json.ts";
import { isDate } from "./format-times.ts";
import { isInt64 } from "./numbers.ts";

/** Metadata in form, or why a value is none. */
export type NormalMetadata =
  | { readonly kind: "normal"; readonly metadata: JsonObject }
  | { readonly kind: "wrong"; readonly message: string };

/** What a field of ObjectMeta holds. A field is left out of what is stored where it holds nothing, except where `always` says so. */
type Shape =
  | { readonly kind: "text"; readonly always?: boolean }
  | { readonly kind: "integer"; readonly pointer: boolean }
  | { readonly kind: "flag" }
  | { readonly kind: "time" }
  | { readonly kind: "any" }
  | { readonly kind: "texts" }
  | { readonly kind: "textMap" }
  | { readonly kind: "objects"; readonly fields: ReadonlyMap<string, Shape> };

const TEXT: Shape = { kind: "text" };
const ALWAYS: Shape = { kind: "text", always: true };
const TIME: Shape = { kind: "time" };

const OWNER = new Map<string, Shape>([
  ["apiVersion", ALWAYS],
  ["kind", ALWAYS],
  ["name", ALWAYS],
  ["uid", ALWAYS],
  ["controller", { kind: "flag" }],
  ["blockOwnerDeletion", { kind: "flag" }],
]);

const MANAGED = new Map<string, Shape>([
  ["manager", TEXT],
  ["operation", TEXT],
  ["apiVersion", TEXT],
  ["time", TIME],
  ["fieldsType", TEXT],
  ["fieldsV1", { kind: "any" }],
  ["subresource", TEXT],
]);

const META = new Map<string, Shape>([
  ["name", TEXT],
  ["generateName", TEXT],
  ["namespace", TEXT],
  ["selfLink", TEXT],
  ["uid", TEXT],
  ["resourceVersion", TEXT],
  ["generation", { kind: "integer", pointer: false }],
  ["creationTimestamp", TIME],
  ["deletionTimestamp", TIME],
  ["deletionGracePeriodSeconds", { kind: "integer", pointer: true }],
  ["labels", { kind: "textMap" }],
  ["annotations", { kind: "textMap" }],
  ["ownerReferences", { kind: "objects", fields: OWNER }],
  ["finalizers", { kind: "texts" }],
  ["managedFields", { kind: "objects", fields: MANAGED }],
]);

/**
 * The metadata of an embedded resource as the API server keeps it: through its own type and back, so that unknown and empty fields are
 * gone; or why it can't be read.
 */
export function normalMetadata(metadata: Json): NormalMetadata {
  if (metadata === null) return { kind: "normal", metadata: {} };
  if (!isObject(metadata)) return { kind: "wrong", message: "The metadata of an embedded resource must be an object" };
  try {
    return { kind: "normal", metadata: normalFields(metadata, META, "") };
  } catch (error) {
    if (error instanceof WrongField) return { kind: "wrong", message: error.message };
    throw error;
  }
}

class WrongField extends Error {
  override readonly name = "WrongField";
}

function wrong(field: string, expected: string): never {
  throw new WrongField(`The metadata of an embedded resource can't be read: its ${field} must be ${expected}`);
}

function normalFields(object: JsonObject, fields: ReadonlyMap<string, Shape>, where: string): JsonObject {
  const kept: [string, Json][] = [];
  for (const [name, shape] of fields) {
    const value = Object.hasOwn(object, name) ? (object[name] ?? null) : null;
    const normal = normalValue(value, shape, where + name);
    if (normal !== undefined) kept.push([name, normal]);
  }
  return Object.fromEntries(kept);
}

/** Undefined: the field is left out. */
function normalValue(value: Json, shape: Shape, where: string): Json | undefined {
  if (value === null) return shape.kind === "text" && shape.always ? "" : undefined;
  switch (shape.kind) {
    case "text":
      return normalText(value, shape.always ?? false, where);
    case "integer":
      if (typeof value !== "number" || !isInt64(value)) return wrong(where, "an integer");
      return value === 0 && !shape.pointer ? undefined : value;
    case "flag":
      return typeof value === "boolean" ? value : wrong(where, "true or false");
    case "time":
      return normalTime(value, where);
    case "any":
      return value;
    case "texts":
      return filled(listOf(value, where).map((item, i) => itemText(item, `${where}[${i}]`)));
    case "textMap":
      return normalTexts(value, where);
    case "objects":
      return filled(listOf(value, where).map((item, i) => normalItem(item, shape.fields, `${where}[${i}]`)));
  }
}

function normalText(value: Json, always: boolean, where: string): string | undefined {
  if (typeof value !== "string") return wrong(where, "a string");
  return value === "" && !always ? undefined : value;
}

const TIME_OF_DAY = /^(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const NEVER = "0001-01-01T00:00:00Z";

function normalTime(value: Json, where: string): string | undefined {
  const isTime =
    typeof value === "string" && value[10] === "T" && isDate(value.slice(0, 10)) && TIME_OF_DAY.test(value.slice(11));
  if (!isTime) return wrong(where, "a time as RFC 3339 writes it");
  return value === NEVER ? undefined : value;
}

function listOf(value: Json, where: string): readonly Json[] {
  return isList(value) ? value : wrong(where, "a list");
}

function filled(list: readonly Json[]): readonly Json[] | undefined {
  return list.length === 0 ? undefined : list;
}

function itemText(item: Json, where: string): string {
  if (item === null) return "";
  return typeof item === "string" ? item : wrong(where, "a string");
}

function normalTexts(value: Json, where: string): JsonObject | undefined {
  if (!isObject(value)) return wrong(where, "an object");
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [key, itemText(item, `${where}[${key}]`)]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function normalItem(item: Json, fields: ReadonlyMap<string, Shape>, where: string): JsonObject {
  if (item === null) return normalFields({}, fields, `${where}.`);
  return isObject(item) ? normalFields(item, fields, `${where}.`) : wrong(where, "an object");
}
