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
import {
  type FieldPath,
  type PathSegment,
  type StructuralSchema,
  formatDottedPath,
  getFieldSchema,
} from "../../schema/openapi/index.ts";

/** A field whose default the target removes, and whose value nobody is known to have set. */
export type DefaultedField = {
  readonly path: string;
  /** The names on its path; none if it is in an item of a list. */
  readonly fields: readonly string[];
  /** What today's default gives, as JSON. */
  readonly value: string;
  /** No write since an update created the object is known, so that only the default shows the field, as far as can be seen. */
  readonly isUnwritten: boolean;
};

/** Does a schema lack a default that another one has for the same field? Both as a CRD has them. */
export function losesDefaults(before: Json | undefined, after: Json | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  if (at(before, "default") !== undefined && at(after, "default") === undefined) return true;
  return (
    Object.keys(objectAt(before, "properties")).some((name) =>
      losesDefaults(at(before, "properties", name), at(after, "properties", name)),
    ) || ["items", "additionalProperties"].some((keyword) => losesDefaults(at(before, keyword), at(after, keyword)))
  );
}

type Search = { readonly found: DefaultedField[]; readonly isUnwritten: boolean };

/**
 * The fields that an object may show through a default alone, and then loses: a read from etcd gives the defaults of the stored version. What
 * an update stores is its manager's, defaults included; what a server-side apply stores by a default is nobody's.
 */
export function findDefaultedFields(
  object: JsonObject,
  today: CompiledSchema,
  target: CompiledSchema,
): readonly DefaultedField[] {
  const entries = listAt(object, "metadata", "managedFields");
  const search: Search = { found: [], isUnwritten: isUnwritten(object, entries) };
  const owned = entries.flatMap((entry) => at(entry, "fieldsV1") ?? []);
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

/** `owned`: what managers own below this value. Of the items of a list nobody says so, since they may be owned as one. */
function visit(
  today: StructuralSchema,
  target: StructuralSchema,
  value: Json,
  owned: readonly Json[],
  path: FieldPath,
  search: Search,
): void {
  if (isList(value)) {
    const { items } = today;
    const next = target.items;
    if (items && next)
      for (const [i, item] of value.entries())
        visit(items, next, item, [], [...path, i], { ...search, isUnwritten: false });
    return;
  }
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const child = getFieldSchema(today, name);
    const next = getFieldSchema(target, name);
    if (child === undefined || next === undefined || isLeftOut(path, name)) continue;
    const ownedHere = owned.flatMap((fields) => at(fields, `f:${name}`) ?? []);
    const fallback = next.default === undefined ? today.defaults.get(name) : undefined;
    const isDefault = fallback !== undefined && formatCanonicalJson(fallback.value) === formatCanonicalJson(inner);
    if (isDefault && ownedHere.length === 0) addField([...path, name], inner, search);
    else visit(child, next, inner, ownedHere, [...path, name], search);
  }
}

/** Operators write a status again. */
function isLeftOut(path: FieldPath, name: string): boolean {
  return path.length === 0 && (name === "metadata" || name === "status");
}

function addField(path: FieldPath, value: Json, { found, isUnwritten }: Search): void {
  found.push({
    path: formatDottedPath(path),
    fields: path.every(isName) ? path : [],
    value: formatCanonicalJson(value),
    isUnwritten,
  });
}

/** The object as it is stored if nobody stored these fields; those of items of lists stay. */
export function removeDefaulted(object: JsonObject, defaulted: readonly DefaultedField[]): JsonObject {
  return defaulted.reduce((rest, { fields }) => (fields.length === 0 ? rest : removeField(rest, fields)), object);
}

function removeField(object: JsonObject, [name = "", ...more]: readonly string[]): JsonObject {
  if (more.length === 0) return Object.fromEntries(Object.entries(object).filter(([field]) => field !== name));
  const inner = object[name];
  return isObject(inner) ? { ...object, [name]: removeField(inner, more) } : object;
}

function isName(step: PathSegment): step is string {
  return typeof step === "string";
}
