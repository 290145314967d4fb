import { type Json, type JsonObject, isList, isObject } from "../../model/json.ts";
import {
  type Fault,
  type Shape,
  findFault,
  ANY,
  FLAG,
  INTEGER,
  TEXT,
  buildIntegerShape,
  buildListShape,
  buildObjectShape,
  buildPlainShape,
  fieldsOf,
  requireShape,
} from "./report.ts";
import { isDate } from "./formats.ts";

/** A field of an embedded resource that the API server drops when it reads it: it has another type, or metadata has no such field. */
export type DroppedField = { readonly path: string; readonly message: string; readonly isMalformed: boolean };

/** Normalized metadata, or why the value is not valid metadata. */
type CoercedObjectMeta =
  | { readonly kind: "normal"; readonly metadata: JsonObject }
  | { readonly kind: "wrong"; readonly message: string };

const TIME_OF_DAY = /^(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

function isTime(value: Json): boolean {
  return (
    typeof value === "string" && value[10] === "T" && isDate(value.slice(0, 10)) && TIME_OF_DAY.test(value.slice(11))
  );
}

const TIME = buildPlainShape("a time as RFC 3339 writes it", isTime);
const GENERATION = buildIntegerShape(64);
/** Stored even if it is empty or absent. */
const KEPT_TEXT = buildPlainShape("a string", (value) => typeof value === "string");
/** Values that are not stored. */
const EMPTY: ReadonlyMap<Shape, Json> = new Map<Shape, Json>([
  [TEXT, ""],
  [GENERATION, 0],
  [TIME, "0001-01-01T00:00:00Z"],
]);

const OWNER_REFERENCE = buildObjectShape({
  ...fieldsOf(KEPT_TEXT, "apiVersion", "kind", "name", "uid"),
  ...fieldsOf(FLAG, "controller", "blockOwnerDeletion"),
});
const MANAGED_FIELDS_ENTRY = buildObjectShape({
  ...fieldsOf(TEXT, "manager", "operation", "apiVersion", "fieldsType", "subresource"),
  time: TIME,
  fieldsV1: ANY,
});
const OBJECT_META = buildObjectShape({
  ...fieldsOf(TEXT, "name", "generateName", "namespace", "selfLink", "uid", "resourceVersion"),
  generation: GENERATION,
  ...fieldsOf(TIME, "creationTimestamp", "deletionTimestamp"),
  deletionGracePeriodSeconds: INTEGER,
  ...fieldsOf({ kind: "map", value: TEXT }, "labels", "annotations"),
  ownerReferences: buildListShape(OWNER_REFERENCE),
  finalizers: buildListShape(TEXT),
  managedFields: buildListShape(MANAGED_FIELDS_ENTRY),
});

/**
 * The metadata of an embedded resource as the API server stores it: decoded and encoded again, which drops unknown and empty fields. Or why
 * it can't be decoded.
 */
export function coerceObjectMeta(metadata: Json): CoercedObjectMeta {
  if (metadata === null) return { kind: "normal", metadata: {} };
  if (!isObject(metadata)) return { kind: "wrong", message: "The metadata of an embedded resource must be an object" };
  const fault = findObjectMetaFault(metadata);
  if (fault === undefined) return { kind: "normal", metadata: coerceFields(metadata, OBJECT_META.fields) };
  const path = fault[0].slice(1);
  const reason = fault[1];
  return { kind: "wrong", message: `The metadata of an embedded resource can't be read: its ${path} ${reason}` };
}

/** Why metadata can't be decoded, and the step to it: ".labels[app]". */
export function findObjectMetaFault(metadata: JsonObject): Fault | undefined {
  return findFault((root) => requireShape(metadata, OBJECT_META, root));
}

/** The metadata of an embedded resource as the API server reads it from etcd, and what it drops of it, with paths within the metadata. */
export function decodeObjectMeta(metadata: JsonObject): {
  readonly metadata: JsonObject;
  readonly dropped: readonly DroppedField[];
} {
  const dropped: DroppedField[] = [];
  const readable = Object.entries(metadata).filter(([path, value]) => {
    const fault = findFault((root) => requireShape({ [path]: value }, OBJECT_META, root));
    if (fault === undefined) collectUnknown(value, OBJECT_META.fields.get(path), path, dropped);
    else dropped.push({ path, message: formatDropped(`${fault[0].slice(1)} ${fault[1]}`), isMalformed: true });
    return fault === undefined;
  });
  return { metadata: coerceFields(Object.fromEntries(readable), OBJECT_META.fields), dropped };
}

/** Why the API server drops a field of an embedded resource. */
export function formatDropped(reason: string): string {
  return `The API server drops this field of the embedded resource, since ${reason}`;
}

function collectUnknown(value: Json, shape: Shape | undefined, path: string, dropped: DroppedField[]): void {
  if (shape === undefined)
    dropped.push({ path, message: formatDropped("metadata has no such field"), isMalformed: false });
  else if (shape.kind === "list" && isList(value))
    for (const [i, item] of value.entries()) collectUnknown(item, shape.item, `${path}[${i}]`, dropped);
  else if (shape.kind === "object" && isObject(value))
    for (const [name, inner] of Object.entries(value))
      collectUnknown(inner, shape.fields.get(name), `${path}.${name}`, dropped);
}

type Fields = ReadonlyMap<string, Shape>;

function coerceFields(object: JsonObject, fields: Fields): JsonObject {
  const kept: [string, Json][] = [];
  for (const [name, shape] of fields) {
    const value = Object.hasOwn(object, name) ? (object[name] ?? null) : null;
    const coerced = coerceField(value, shape);
    if (coerced !== undefined) kept.push([name, coerced]);
  }
  return Object.fromEntries(kept);
}

/** Undefined: the field is left out. */
function coerceField(value: Json, shape: Shape): Json | undefined {
  if (value === null) return shape === KEPT_TEXT ? "" : undefined;
  if (shape.kind === "list" && isList(value))
    return value.length === 0 ? undefined : value.map((item) => coerceItem(item, shape.item));
  if (shape.kind === "map" && isObject(value)) {
    const entries = Object.entries(value).map(([key, item]) => [key, coerceItem(item, shape.value)] as const);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }
  return EMPTY.get(shape) === value ? undefined : value;
}

function coerceItem(item: Json, shape: Shape): Json {
  if (shape.kind === "object") return coerceFields(isObject(item) ? item : {}, shape.fields);
  return item ?? "";
}
