import { type Json, type JsonObject, isList, isObject } from "../../model/json.ts";
import { isDate } from "../formats/times.ts";
import { isInt64 } from "../structural/numbers.ts";

/** Normalized metadata, or why the value is not valid metadata. */
export type CoercedObjectMeta =
  | { readonly kind: "normal"; readonly metadata: JsonObject }
  | { readonly kind: "wrong"; readonly message: string };

/** The type of a field of ObjectMeta. Empty fields are not stored, unless `always` is set. */
type FieldShape =
  | { readonly kind: "text"; readonly isAlwaysKept?: boolean }
  | { readonly kind: "integer"; readonly isPointer: boolean }
  | { readonly kind: "flag" }
  | { readonly kind: "time" }
  | { readonly kind: "any" }
  | { readonly kind: "texts" }
  | { readonly kind: "textMap" }
  | { readonly kind: "objects"; readonly fields: ReadonlyMap<string, FieldShape> };

const TEXT: FieldShape = { kind: "text" };
const ALWAYS: FieldShape = { kind: "text", isAlwaysKept: true };
const TIME: FieldShape = { kind: "time" };

const OWNER_REFERENCE_FIELDS = new Map<string, FieldShape>([
  ["apiVersion", ALWAYS],
  ["kind", ALWAYS],
  ["name", ALWAYS],
  ["uid", ALWAYS],
  ["controller", { kind: "flag" }],
  ["blockOwnerDeletion", { kind: "flag" }],
]);

const MANAGED_FIELDS_ENTRY_FIELDS = new Map<string, FieldShape>([
  ["manager", TEXT],
  ["operation", TEXT],
  ["apiVersion", TEXT],
  ["time", TIME],
  ["fieldsType", TEXT],
  ["fieldsV1", { kind: "any" }],
  ["subresource", TEXT],
]);

const OBJECT_META_FIELDS = new Map<string, FieldShape>([
  ["name", TEXT],
  ["generateName", TEXT],
  ["namespace", TEXT],
  ["selfLink", TEXT],
  ["uid", TEXT],
  ["resourceVersion", TEXT],
  ["generation", { kind: "integer", isPointer: false }],
  ["creationTimestamp", TIME],
  ["deletionTimestamp", TIME],
  ["deletionGracePeriodSeconds", { kind: "integer", isPointer: true }],
  ["labels", { kind: "textMap" }],
  ["annotations", { kind: "textMap" }],
  ["ownerReferences", { kind: "objects", fields: OWNER_REFERENCE_FIELDS }],
  ["finalizers", { kind: "texts" }],
  ["managedFields", { kind: "objects", fields: MANAGED_FIELDS_ENTRY_FIELDS }],
]);

/**
 * The metadata of an embedded resource as the API server stores it: decoded and encoded again, which drops unknown and empty fields. Or why
 * it can't be decoded.
 */
export function coerceObjectMeta(metadata: Json): CoercedObjectMeta {
  if (metadata === null) return { kind: "normal", metadata: {} };
  if (!isObject(metadata)) return { kind: "wrong", message: "The metadata of an embedded resource must be an object" };
  try {
    return { kind: "normal", metadata: coerceFields(metadata, OBJECT_META_FIELDS, "") };
  } catch (error) {
    if (error instanceof InvalidFieldError) return { kind: "wrong", message: error.message };
    throw error;
  }
}

class InvalidFieldError extends Error {
  override readonly name = "WrongField";
}

function rejectField(field: string, expected: string): never {
  throw new InvalidFieldError(`The metadata of an embedded resource can't be read: its ${field} must be ${expected}`);
}

function coerceFields(object: JsonObject, fields: ReadonlyMap<string, FieldShape>, path: string): JsonObject {
  const kept: [string, Json][] = [];
  for (const [name, shape] of fields) {
    const value = Object.hasOwn(object, name) ? (object[name] ?? null) : null;
    const coerced = coerceValue(value, shape, path + name);
    if (coerced !== undefined) kept.push([name, coerced]);
  }
  return Object.fromEntries(kept);
}

/** Undefined: the field is left out. */
function coerceValue(value: Json, shape: FieldShape, path: string): Json | undefined {
  if (value === null) return shape.kind === "text" && shape.isAlwaysKept ? "" : undefined;
  switch (shape.kind) {
    case "text":
      return coerceText(value, shape.isAlwaysKept ?? false, path);
    case "integer":
      if (typeof value !== "number" || !isInt64(value)) return rejectField(path, "an integer");
      return value === 0 && !shape.isPointer ? undefined : value;
    case "flag":
      return typeof value === "boolean" ? value : rejectField(path, "true or false");
    case "time":
      return coerceTime(value, path);
    case "any":
      return value;
    case "texts":
      return dropIfEmpty(requireList(value, path).map((item, i) => coerceItemText(item, `${path}[${i}]`)));
    case "textMap":
      return coerceTextMap(value, path);
    case "objects":
      return dropIfEmpty(requireList(value, path).map((item, i) => coerceItem(item, shape.fields, `${path}[${i}]`)));
  }
}

function coerceText(value: Json, always: boolean, path: string): string | undefined {
  if (typeof value !== "string") return rejectField(path, "a string");
  return value === "" && !always ? undefined : value;
}

const TIME_OF_DAY = /^(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const ZERO_TIME = "0001-01-01T00:00:00Z";

function coerceTime(value: Json, path: string): string | undefined {
  const isTime =
    typeof value === "string" && value[10] === "T" && isDate(value.slice(0, 10)) && TIME_OF_DAY.test(value.slice(11));
  if (!isTime) return rejectField(path, "a time as RFC 3339 writes it");
  return value === ZERO_TIME ? undefined : value;
}

function requireList(value: Json, path: string): readonly Json[] {
  return isList(value) ? value : rejectField(path, "a list");
}

function dropIfEmpty(list: readonly Json[]): readonly Json[] | undefined {
  return list.length === 0 ? undefined : list;
}

function coerceItemText(item: Json, path: string): string {
  if (item === null) return "";
  return typeof item === "string" ? item : rejectField(path, "a string");
}

function coerceTextMap(value: Json, path: string): JsonObject | undefined {
  if (!isObject(value)) return rejectField(path, "an object");
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [
    key,
    coerceItemText(item, `${path}[${key}]`),
  ]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function coerceItem(item: Json, fields: ReadonlyMap<string, FieldShape>, path: string): JsonObject {
  if (item === null) return coerceFields({}, fields, `${path}.`);
  return isObject(item) ? coerceFields(item, fields, `${path}.`) : rejectField(path, "an object");
}
