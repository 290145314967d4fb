import {
  type Json,
  type JsonObject,
  at,
  formatCanonicalJson,
  isList,
  isObject,
  listAt,
  objectAt,
  textAt,
} from "../../model/json.ts";
import { parseTimestamp } from "../../model/time.ts";
import type { CompiledSchema } from "../../schema/crd/index.ts";
import { isSameValue } from "./schema-parts.ts";
import { type FieldPath, type StructuralSchema, formatDottedPath, getFieldSchema } from "../../schema/openapi/index.ts";

/** A field whose default the target removes or changes, and whose value nobody is known to have set. */
export type DefaultedField = {
  readonly path: string;
  readonly steps: FieldPath;
  /** The target gives no default at all, and no operator writes the field again. */
  readonly isLost: boolean;
  /** What today's default gives, as JSON. */
  readonly value: string;
  /** No write since an update created the object is known, so that only the default shows the field, as far as can be seen. */
  readonly isUnwritten: boolean;
};

type Search = {
  readonly found: DefaultedField[];
  readonly isUnwritten: boolean;
  readonly written: readonly CompiledSchema[];
};

/**
 * The fields that an object may show through a default alone, and for which the target has another one or none: a read from etcd gives the
 * defaults of the stored version. What an update stores is its manager's, defaults included; what a server-side apply stores by a default is
 * nobody's. `webhookVersion`: the stored one, if a webhook converts the others, so that their managed fields don't say what is stored.
 * `written`: the schemas of all versions that managed fields name; a write through one that lacks a field removes it, and not its manager.
 */
export function findDefaultedFields(
  object: JsonObject,
  today: CompiledSchema,
  target: CompiledSchema,
  written: readonly CompiledSchema[],
  webhookVersion?: string,
): readonly DefaultedField[] {
  const entries = listAt(object, "metadata", "managedFields");
  const known =
    webhookVersion === undefined
      ? entries
      : entries.filter((entry) => textAt(entry, "apiVersion")?.endsWith(`/${webhookVersion}`));
  const isSeen = known.length === entries.length && isUnwritten(object, entries);
  const search: Search = { found: [], isUnwritten: isSeen, written };
  const owned = known.flatMap((entry) => at(entry, "fieldsV1") ?? []);
  visit(today.root, target.root, object, owned, [], search);
  return search.found;
}

/**
 * Not since an update created it, as far as its managed fields tell, which are all as old as itself. A write that changes nothing, or only
 * removes something, stores defaults and leaves no trace there.
 */
function isUnwritten(object: JsonObject, entries: readonly Json[]): boolean {
  const created = parseTimestamp(textAt(object, "metadata", "creationTimestamp"));
  if (created === undefined || entries.length === 0) return false;
  return entries.every((entry) => {
    const time = parseTimestamp(textAt(entry, "time"));
    const isFirst = time !== undefined && time <= created + SAME_WRITE_MS;
    return isFirst && textAt(entry, "operation") === "Update" && namesFields(entry);
  });
}

/** Recordings of before kept who wrote, and not which fields. */
function namesFields(entry: Json): boolean {
  return Object.keys(objectAt(entry, "fieldsV1")).length > 0;
}

/** Both times are in whole seconds, and are taken one after the other. */
const SAME_WRITE_MS = 1000;

/**
 * `target`: absent of what is kept without a schema. `owned`: what managers own below this value. Of the items of a list nobody says so, since
 * they may be owned as one.
 */
function visit(
  today: StructuralSchema,
  target: StructuralSchema | undefined,
  value: Json,
  owned: readonly Json[],
  path: FieldPath,
  search: Search,
): void {
  if (isList(value)) {
    const { items } = today;
    const next = target?.items;
    if (items)
      for (const [i, item] of value.entries())
        visit(items, next, item, [], [...path, i], { ...search, isUnwritten: false });
    return;
  }
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const child = getFieldSchema(today, name);
    const next = target && getFieldSchema(target, name);
    const isPruned = target !== undefined && next === undefined && !target.preserveUnknownFields;
    if (child === undefined || isPruned || (path.length === 0 && name === "metadata")) continue;
    const here = [...path, name];
    const ownedHere = owned.flatMap((fields) => at(fields, `f:${name}`) ?? []);
    const fallback = today.defaults.get(name)?.readValue;
    const isDefault = fallback !== undefined && isSameValue(fallback, inner);
    const isChanged = isDefault && !isSameValue(fallback, next?.default?.readValue);
    const isStored = ownedHere.length > 0 && !search.written.some((schema) => mayDrop(schema, here, child.nullable));
    if (isChanged && !isStored) addField(here, inner, next?.default === undefined, ownedHere.length > 0, search);
    else visit(child, next, inner, ownedHere, here, search);
  }
}

/**
 * Does a version lack a field, or take a null where the stored one takes none, or the other way round? A write through it then removed what
 * is owned, or left a null, which shows the default.
 */
function mayDrop({ root, isPruning }: CompiledSchema, path: FieldPath, isNullable: boolean): boolean {
  if (!isPruning) return false;
  let schema: StructuralSchema | undefined = root;
  for (const step of path) {
    const next: StructuralSchema | undefined = typeof step === "string" ? getFieldSchema(schema, step) : schema.items;
    if (next === undefined) return !schema.preserveUnknownFields;
    schema = next;
  }
  return isNullable !== schema.nullable;
}

/** Operators write a status again. `isOwned`: somebody wrote it once. */
function addField(steps: FieldPath, value: Json, hasNone: boolean, isOwned: boolean, search: Search): void {
  const isLost = hasNone && steps[0] !== "status";
  const field = { path: formatDottedPath(steps), steps, isLost, value: formatCanonicalJson(value) };
  search.found.push({ ...field, isUnwritten: search.isUnwritten && !isOwned });
}

/** The object as it is stored if nobody stored these fields. */
export function removeDefaulted(object: JsonObject, defaulted: readonly DefaultedField[]): JsonObject {
  return defaulted.reduce((rest, { steps }) => removeFrom(rest, steps), object);
}

function removeFrom(object: JsonObject, [first, ...more]: FieldPath): JsonObject {
  const inner = typeof first === "string" ? object[first] : undefined;
  if (typeof first !== "string" || inner === undefined) return object;
  if (more.length === 0) return Object.fromEntries(Object.entries(object).filter(([field]) => field !== first));
  return { ...object, [first]: removeBelow(inner, more) };
}

function removeBelow(value: Json, steps: FieldPath): Json {
  const [first, ...more] = steps;
  if (isList(value)) return value.map((item, i) => (i === first ? removeBelow(item, more) : item));
  return isObject(value) ? removeFrom(value, steps) : value;
}
