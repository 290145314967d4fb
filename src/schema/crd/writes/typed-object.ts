import { type Json, at, compareText, isList, isNumber, isObject, listAt } from "../../../model/json.ts";
import type { CompiledSchema } from "../objects/schema-compiler.ts";
import type { ApplyFault, FieldPath, PathSegment, ApplyType, ListType, StructuralSchema } from "../../openapi/index.ts";
import {
  findDuplicates,
  formatDottedPath,
  visitChildren,
  META,
  formatTypeWithArticle,
  getJsonType,
} from "../../openapi/index.ts";

/** `isConverted`: fields that the schema lacks are faults, and not gone already; so are duplicates, which are else tolerated. */
type Search = { readonly path: FieldPath; readonly faults: ApplyFault[]; readonly isConverted: boolean };

export const MAX_APPLY_FAULTS = 100;

/**
 * Why server-side apply can't convert a stored object to the types of its schema (structured-merge-diff), and then fails with "failed to
 * create typed live object", whatever it applies. Null and any number fit. Validation says by `mayRefuseApply` where this can differ from
 * what it accepts itself.
 */
export function findApplyFaults(root: StructuralSchema, stored: Json): readonly ApplyFault[] {
  return search(root, stored, false, false);
}

/**
 * The same for a schema of another version, which managed fields name: server-side apply converts the object to it, however it is written,
 * drops nothing that this schema lacks, and tolerates no duplicates.
 */
export function findConversionFaults(
  { root, isPruning }: Pick<CompiledSchema, "root" | "isPruning">,
  object: Json,
): readonly ApplyFault[] {
  return search(root, object, true, !isPruning);
}

function search(
  root: StructuralSchema,
  value: Json,
  isConverted: boolean,
  keepsUnknown: boolean,
): readonly ApplyFault[] {
  const found: Search = { path: [], faults: [], isConverted };
  visit(root, value, keepsUnknown, found);
  return found.faults.toSorted((a, b) => compareText(a.path, b.path));
}

/** `keepsUnknown`: this schema, or one above it, keeps unknown fields, as all below it then do for server-side apply. */
function visit(schema: StructuralSchema, value: Json, keepsUnknown: boolean, search: Search): void {
  if (value === null) return;
  if (!fitsType(schema.applyType, value)) return addTypeFault(schema.applyType, value, [], search);
  const isResource = schema.isEmbeddedResource || search.path.length === 0;
  if (schema.isEmbeddedResource) visitManagedFields(value, search);
  const keeps = keepsUnknown || schema.preserveUnknownFields;
  if (search.isConverted && !keeps) addUndeclared(schema, value, isResource, search);
  if (search.isConverted) addDuplicates(schema, value, search);
  const visitChild = (child: StructuralSchema, inner: Json, step: string | number): void => {
    if (isResource && typeof step === "string" && META.has(step)) return;
    if (schema.listType && isList(value)) addItemFaults(schema.listType, fillKeys(schema, inner), search);
    visit(child, inner, keeps, search);
  };
  visitChildren(schema, value, { concerns: () => true, visit: visitChild }, search);
}

function addDuplicates(schema: StructuralSchema, value: Json, search: Search): void {
  const { listType } = schema;
  if (listType === undefined || !isList(value)) return;
  const items = value.map((item) => fillKeys(schema, item));
  if (!items.every((item) => isMergeable(listType, item))) return;
  for (const { index } of findDuplicates(listType, items))
    addFault("Server-side apply accepts no two items that it can't tell apart in this list", [index], search);
}

/** A conversion gives no defaults, and server-side apply takes an item's missing keys for their defaults. */
function fillKeys({ listType, items }: StructuralSchema, item: Json): Json {
  if (listType?.kind !== "map" || items === undefined || !isObject(item)) return item;
  const missing = listType.keys.flatMap((key) => {
    const fallback = Object.hasOwn(item, key) ? undefined : items.defaults.get(key);
    return fallback === undefined ? [] : [[key, fallback.value] as const];
  });
  return missing.length === 0 ? item : { ...item, ...Object.fromEntries(missing) };
}

/** An object without properties accepts any field. */
function addUndeclared(
  { properties, additionalProperties }: StructuralSchema,
  value: Json,
  isResource: boolean,
  search: Search,
): void {
  if (!isObject(value) || properties.size === 0 || additionalProperties !== undefined) return;
  for (const field of Object.keys(value)) {
    if (properties.has(field) || (isResource && META.has(field))) continue;
    addFault("Server-side apply accepts no field that the schema lacks", [field], search);
  }
}

function fitsType(type: ApplyType, value: Json): boolean {
  if (type === "any") return true;
  if (type === "array") return isList(value);
  if (type === "object") return isObject(value);
  if (type === "number") return isNumber(value);
  return type === "scalar" ? typeof value !== "object" : typeof value === type;
}

/** The only part of an embedded resource's metadata that can have another type, once it is decoded. */
function visitManagedFields(resource: Json, search: Search): void {
  for (const [i, entry] of listAt(resource, "metadata", "managedFields").entries()) {
    const fields = at(entry, "fieldsV1") ?? {};
    if (!isObject(fields)) addTypeFault("object", fields, ["metadata", "managedFields", i, "fieldsV1"], search);
  }
}

/** Can server-side apply tell the item of a set or a map list from the others? */
export function isMergeable(type: ListType, item: Json): boolean {
  if (type.kind === "set") return typeof item !== "object";
  if (!isObject(item)) return false;
  const has = (key: string): boolean => Object.hasOwn(item, key);
  return type.needsAllKeys ? type.keys.every(has) : type.keys.some(has);
}

function addItemFaults(type: ListType, item: Json, search: Search): void {
  if (isMergeable(type, item)) return;
  if (type.kind === "set") {
    const kind = formatTypeWithArticle(getJsonType(item));
    addFault(`Server-side apply accepts no set with ${kind} in it`, [], search);
  } else if (!isObject(item)) {
    addFault("Server-side apply accepts only objects in a list that is a map", [], search);
  } else {
    const missing = type.keys.filter((key) => !Object.hasOwn(item, key));
    const message = `Server-side apply accepts no item without ${missing.join(" or ")} in this list`;
    for (const key of missing) addFault(message, [key], search);
  }
}

function addTypeFault(type: ApplyType, value: Json, field: readonly PathSegment[], search: Search): void {
  const expected = type === "scalar" || type === "any" ? "a scalar" : formatTypeWithArticle(type);
  const kind = formatTypeWithArticle(getJsonType(value));
  addFault(`Server-side apply accepts only ${expected}, and the value is ${kind}`, field, search);
}

function addFault(message: string, field: readonly PathSegment[], { path, faults }: Search): void {
  if (faults.length < MAX_APPLY_FAULTS) faults.push({ path: formatDottedPath([...path, ...field]), message });
}
