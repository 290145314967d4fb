import { type Json, type JsonObject, isList, isObject } from "../../../model/json.ts";
import type { Default, StructuralSchema, DroppedField, FieldPath } from "../../openapi/index.ts";
import {
  META,
  getAdditionalSchema,
  decodeObjectMeta,
  formatDropped,
  formatBracketPath,
  formatDottedPath,
  MAX_PRUNED,
} from "../../openapi/index.ts";

/** How unknown fields are handled: dropped; kept in this object or list only; kept with everything below unchanged. */
type Pruning = "drop" | "keep" | "leave";

/**
 * Where the object comes from. A default keeps nulls, even where an object can't have them, until it is read from etcd; one that is
 * converted from another version without a webhook gets no defaults, and nulls stay where a default would replace them.
 */
type Source = "etcd" | "request" | "default" | "conversion";

/** What decoding one object reports. */
export type PruneState = {
  readonly path: FieldPath;
  readonly pruned: string[];
  readonly dropped: DroppedField[];
  readonly source: Source;
  isTruncated: boolean;
};

/** The depth to which lists without a schema are followed. */
const MAX_UNKNOWN_DEPTH = 500;

/**
 * Decodes an object as the API server does from etcd: it prunes unknown fields, drops or replaces nulls that are not allowed, applies
 * defaults, and normalizes the metadata of embedded resources. Unchanged parts are not copied; the object itself is never changed.
 */
export function decodeStored(
  object: JsonObject,
  root: StructuralSchema,
  prunes: boolean,
  state: PruneState,
): JsonObject {
  return decodeObject(object, root, prunes ? (root.preserveUnknownFields ? "keep" : "drop") : "leave", true, state);
}

/** As `decodeStored`, of an object that was decoded in its stored version and is now shown in another one (unstructuredSchemaCoercer). */
export function decodeConverted(object: JsonObject, root: StructuralSchema, prunes: boolean): JsonObject {
  return decodeStored(object, root, prunes, newPruneState("conversion"));
}

/** As a version shows an object that was read from etcd in this version, or was converted from the stored one. */
export function decodeShown(
  object: JsonObject,
  root: StructuralSchema,
  prunes: boolean,
  isConverted: boolean,
): JsonObject {
  return isConverted ? decodeConverted(object, root, prunes) : decodeStored(object, root, prunes, newPruneState());
}

/** As `decodeStored`, of an object that a client sends. */
export function decodeRequest(object: JsonObject, root: StructuralSchema, prunes: boolean): JsonObject {
  return decodeStored(object, root, prunes, newPruneState("request"));
}

export function newPruneState(source: Source = "etcd"): PruneState {
  return { path: [], pruned: [], dropped: [], source, isTruncated: false };
}

/** Would the API server prune fields of this value? */
export function isPruned(value: Json, schema: StructuralSchema): boolean {
  const state = newPruneState();
  decodeValue(value, schema, "drop", state);
  return state.pruned.length > 0;
}

function decodeValue(value: Json, schema: StructuralSchema | undefined, unknown: Pruning, state: PruneState): Json {
  if (typeof value !== "object" || value === null) return value;
  if (schema === undefined) return unknown === "drop" ? pruneUnknown(value, state) : value;
  const mode = unknown === "drop" && schema.preserveUnknownFields ? "keep" : unknown;
  if (isList(value)) return decodeList(value, schema, mode, state);
  return isObject(value) ? decodeObject(value, schema, mode, schema.isEmbeddedResource, state) : value;
}

function decodeList(list: readonly Json[], { items }: StructuralSchema, mode: Pruning, state: PruneState): Json {
  if (items === undefined && mode !== "drop") return list;
  const hasDefaults = !items?.nullable && state.source !== "conversion";
  const fallback = hasDefaults && items?.default ? chooseDefault(items.default, state) : undefined;
  let copy: Json[] | undefined;
  for (const [i, item] of list.entries()) {
    state.path.push(i);
    const next = item === null && fallback !== undefined ? fallback : decodeValue(item, items, mode, state);
    state.path.pop();
    if (next === item) continue;
    copy ??= [...list];
    copy[i] = next;
  }
  return copy ?? list;
}

function decodeObject(
  object: JsonObject,
  schema: StructuralSchema,
  mode: Pruning,
  hasMeta: boolean,
  state: PruneState,
): JsonObject {
  let copy: Map<string, Json> | undefined;
  for (const key in object) {
    const value = object[key];
    if (value === undefined) continue;
    const next = decodeField(key, value, schema, hasMeta && META.has(key) ? "leave" : mode, state);
    if (next === value) continue;
    copy ??= new Map(Object.entries(object));
    if (next === undefined) copy.delete(key);
    else copy.set(key, next);
  }
  if (schema.defaults.size > 0 && state.source !== "conversion")
    for (const [name, fallback] of schema.defaults) {
      if (Object.hasOwn(object, name)) continue;
      copy ??= new Map(Object.entries(object));
      copy.set(name, chooseDefault(fallback, state));
    }
  const decoded = copy === undefined ? object : Object.fromEntries(copy);
  return schema.isEmbeddedResource ? decodeResource(decoded, state) : decoded;
}

/** The decoded value of a field; undefined if it is dropped. */
function decodeField(
  key: string,
  value: Json,
  schema: StructuralSchema,
  mode: Pruning,
  state: PruneState,
): Json | undefined {
  const property = schema.properties.get(key);
  const child = property ?? getAdditionalSchema(schema);
  if (value === null && child !== undefined && !child.nullable) return replaceNull(child, state);
  if (child === undefined && schema.additionalProperties === undefined) {
    if (mode === "drop") recordPruned(key, state);
    return mode === "drop" ? undefined : value;
  }
  if (typeof value !== "object") return value;
  state.path.push(property === undefined ? { key } : key);
  const next = decodeValue(value, child, mode === "keep" ? "drop" : mode, state);
  state.path.pop();
  return next;
}

function replaceNull({ default: fallback }: StructuralSchema, state: PruneState): Json | undefined {
  if (state.source === "conversion") return fallback === undefined ? undefined : null;
  return fallback === undefined ? (state.source === "default" ? null : undefined) : chooseDefault(fallback, state);
}

function chooseDefault({ value, readValue }: Default, { source }: PruneState): Json {
  return source === "etcd" ? readValue : value;
}

function recordPruned(key: string, state: PruneState): void {
  if (state.pruned.length < MAX_PRUNED) state.pruned.push(formatDottedPath([...state.path, key]));
  else state.isTruncated = true;
}

/** Prunes a value without a schema: objects lose all fields, lists keep their length. */
function pruneUnknown(value: Json, state: PruneState): Json {
  if (isList(value)) {
    if (state.path.length > MAX_UNKNOWN_DEPTH) return value;
    return value.map((item, i) => {
      state.path.push(i);
      const next = pruneUnknown(item, state);
      state.path.pop();
      return next;
    });
  }
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  for (const key of keys) recordPruned(key, state);
  return keys.length === 0 ? value : {};
}

/** The apiVersion, kind and metadata of an embedded resource. Metadata that is not an object stays, and no request can read the object. */
function decodeResource(object: JsonObject, state: PruneState): JsonObject {
  const decoded = new Map(Object.entries(object));
  for (const name of ["apiVersion", "kind"]) {
    if (!decoded.has(name) || typeof decoded.get(name) === "string") continue;
    recordDropped({ path: name, message: formatDropped("it must be a string"), isMalformed: true }, state);
    decoded.delete(name);
  }
  const metadata = decoded.has("metadata") ? (decoded.get("metadata") ?? {}) : undefined;
  if (isObject(metadata)) {
    const { dropped, metadata: known } = decodeObjectMeta(metadata);
    for (const field of dropped) recordDropped({ ...field, path: `metadata.${field.path}` }, state);
    decoded.set("metadata", known);
  }
  return Object.fromEntries(decoded);
}

function recordDropped(field: DroppedField, state: PruneState): void {
  if (state.dropped.length >= MAX_PRUNED) state.isTruncated = true;
  else state.dropped.push({ ...field, path: formatBracketPath([...state.path, field.path]) });
}

/** A default with its nested defaults applied. */
export function applyDefaults(value: Json, schema: StructuralSchema): Json {
  return decodeValue(value, schema, "leave", newPruneState("default"));
}

/** A default that `applyDefaults` has completed, as objects have it that are read: they are coerced once more after they got it. */
export function dropNulls(value: Json, schema: StructuralSchema): Json {
  return decodeValue(value, schema, "leave", newPruneState("conversion"));
}
