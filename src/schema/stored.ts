import { type Json, type JsonObject, isList, isObject } from "../model/json.ts";
import { type Node, additionalNode } from "./node.ts";
import { normalMetadata } from "./object-meta.ts";
import { type Path, bracketText, dottedText } from "./path.ts";
import { type Errors, KEPT_PRUNED, addError } from "./verdict.ts";

/** What happens to unknown fields: dropped; kept in the same object or list only; kept and everything below left as it is. */
type Unknown = "drop" | "keep" | "leave";

/** What reading one object brings up. */
export type Reading = {
  readonly path: Path;
  readonly pruned: string[];
  readonly errors: Errors | undefined;
  more: boolean;
};

const META = new Set(["apiVersion", "kind", "metadata"]);
/** Lists in a place without any schema are followed this deep. */
const DEEPEST_UNKNOWN = 500;

/**
 * An object as the API server reads it from etcd: unknown fields dropped, nulls that may not be dropped or replaced, defaults put in,
 * metadata of embedded resources brought into form. What needs no change is not copied; the object itself is never changed.
 */
export function readStored(object: JsonObject, root: Node, prunes: boolean, reading: Reading): Json {
  return readObject(object, root, prunes ? (root.preserve ? "keep" : "drop") : "leave", true, reading);
}

/** A default value with the defaults within it. */
export function asStored(value: Json, node: Node): Json {
  return read(value, node, "leave", { path: [], pruned: [], errors: undefined, more: false });
}

function read(value: Json, node: Node | undefined, unknown: Unknown, reading: Reading): Json {
  if (typeof value !== "object" || value === null) return value;
  if (node === undefined) return unknown === "drop" ? readUnknown(value, reading) : value;
  const mode = unknown === "drop" && node.preserve ? "keep" : unknown;
  if (isList(value)) return readList(value, node, mode, reading);
  return isObject(value) ? readObject(value, node, mode, node.embedded, reading) : value;
}

function readList(list: readonly Json[], node: Node, mode: Unknown, reading: Reading): readonly Json[] {
  const items = node.items;
  if (items === undefined && mode !== "drop") return list;
  let copy: Json[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (item === undefined) continue;
    reading.path.push(i);
    const next =
      item === null && items?.default && !items.nullable ? items.default.value : read(item, items, mode, reading);
    reading.path.pop();
    if (next === item) continue;
    copy ??= [...list];
    copy[i] = next;
  }
  return copy ?? list;
}

function readObject(object: JsonObject, node: Node, mode: Unknown, hasMeta: boolean, reading: Reading): JsonObject {
  let copy: Map<string, Json> | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    const next = readField(key, value, node, hasMeta && META.has(key) ? "leave" : mode, reading);
    if (next === value) continue;
    copy ??= new Map(Object.entries(object));
    if (next === undefined) copy.delete(key);
    else copy.set(key, next);
  }
  for (const [name, missing] of node.defaults) {
    if (Object.hasOwn(object, name)) continue;
    copy ??= new Map(Object.entries(object));
    copy.set(name, missing.value);
  }
  const done = copy === undefined ? object : Object.fromEntries(copy);
  return node.embedded ? withNormalMetadata(done, reading) : done;
}

/** What becomes of a field; undefined: it is dropped. */
function readField(key: string, value: Json, node: Node, mode: Unknown, reading: Reading): Json | undefined {
  const property = node.properties.get(key);
  const child = property ?? additionalNode(node);
  if (value === null && child !== undefined && !child.nullable) return child.default?.value;
  if (child === undefined && node.additional === undefined) {
    if (mode === "drop") prune(key, reading);
    return mode === "drop" ? undefined : value;
  }
  reading.path.push(property === undefined ? { key } : key);
  const next = read(value, child, mode === "keep" ? "drop" : mode, reading);
  reading.path.pop();
  return next;
}

function prune(key: string, reading: Reading): void {
  if (reading.pruned.length < KEPT_PRUNED) reading.pruned.push(dottedText([...reading.path, key]));
  else reading.more = true;
}

/** A value where nothing is known of what it holds: objects lose all fields, lists keep their length. */
function readUnknown(value: Json, reading: Reading): Json {
  if (isList(value)) {
    if (reading.path.length > DEEPEST_UNKNOWN) return value;
    return value.map((item, i) => {
      reading.path.push(i);
      const next = readUnknown(item, reading);
      reading.path.pop();
      return next;
    });
  }
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  for (const key of keys) prune(key, reading);
  return keys.length === 0 ? value : {};
}

function withNormalMetadata(object: JsonObject, reading: Reading): JsonObject {
  const metadata = Object.hasOwn(object, "metadata") ? object["metadata"] : undefined;
  if (metadata === undefined) return object;
  const normal = normalMetadata(metadata);
  if (normal.kind === "normal") return { ...object, metadata: normal.metadata };
  const path = bracketText([...reading.path, "metadata"]);
  if (reading.errors) addError(reading.errors, { type: "FieldValueInvalid", path, message: normal.message });
  return object;
}
