import {
  at,
  compareText,
  formatCanonicalJson,
  flagAt,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
} from "../../src/model/json.ts";
import { getRequired, findTightenedLimits } from "./compare-limits.ts";
import { findNewRules, type RuleKind } from "./compare-rules.ts";
import { ANY_SCHEMA, canBe, getConjuncts, hasMore, getKeys, getCanonicalItems, getTypes } from "./schema-parts.ts";

/**
 * How a new schema affects objects that fit the old one. `tightening`: a valid object may become invalid. `drop`: the API server drops
 * the value. `path` is "spec.list[*].name", "" at the root; `keyword` is what changed.
 */
export type SchemaChange = {
  readonly kind: "tightening" | "drop" | RuleKind;
  readonly path: string;
  readonly keyword: string;
};

/** `nested` is below an alternative or a negation, where a schema only validates and drops nothing. */
type FieldPosition = {
  readonly path: string;
  readonly level: "root" | "field" | "items" | "nested";
  /** Whether the new schema requires this field. */
  readonly isRequired: boolean;
};

/**
 * Compares two schemas of one kind, path by path, as they affect an object that was stored under the first. Fields that only the second
 * one has cannot be in such an object and are ignored. Sorted by path.
 */
export function compareSchemas(before: JsonObject, after: JsonObject): readonly SchemaChange[] {
  const changes = compare(before, after, { path: "", level: "root", isRequired: false });
  return changes.toSorted(
    (a, b) => compareText(a.path, b.path) || compareText(a.kind, b.kind) || compareText(a.keyword, b.keyword),
  );
}

function compare(before: JsonObject, after: JsonObject, position: FieldPosition): readonly SchemaChange[] {
  if (before === after) return [];
  const keywords = [
    ...findTightenedLimits(before, after),
    ...(losesNull(before, after, position) ? ["nullable"] : []),
    ...findTightenedJunctors(before, after),
  ];
  return [
    ...keywords.map((keyword): SchemaChange => ({ kind: "tightening", path: position.path, keyword })),
    ...findNewRules(before, after).map((kind): SchemaChange => ({ kind, path: position.path, keyword: RULES })),
    ...(canBe(before, "object") && canBe(after, "object") ? compareAllFields(before, after, position) : []),
    ...(canBe(before, "array") && canBe(after, "array") ? compareItems(before, after, position) : []),
  ];
}

const RULES = "x-kubernetes-validations";

/** The API server drops a null that a field does not allow, or replaces it by the default; in a list it refuses it. */
function losesNull(before: JsonObject, after: JsonObject, { level, isRequired }: FieldPosition): boolean {
  if (flagAt(before, "nullable") !== true || flagAt(after, "nullable") === true) return false;
  if (at(after, "default") !== undefined) return false;
  return level === "items" || isRequired;
}

function compareAllFields(before: JsonObject, after: JsonObject, position: FieldPosition): readonly SchemaChange[] {
  const [was, is] = [getRequired(before), getRequired(after)];
  const missing = [...is].filter((name) => !was.has(name) && at(after, "properties", name, "default") === undefined);
  const names = new Set([...getKeys(before, "properties"), ...getKeys(after, "properties")]);
  return [
    ...missing.map((name): SchemaChange => ({
      kind: "tightening",
      path: joinPath(position, name),
      keyword: "required",
    })),
    ...[...names].flatMap((name) =>
      compareField(findFieldSchema(before, name, position), findFieldSchema(after, name, position), {
        path: joinPath(position, name),
        level: position.level === "nested" ? "nested" : "field",
        isRequired: is.has(name),
      }),
    ),
    ...compareField(findOtherFieldsSchema(before, position), findOtherFieldsSchema(after, position), {
      path: `${position.path}[*]`,
      level: position.level === "nested" ? "nested" : "field",
      isRequired: false,
    }),
  ];
}

/** Undefined if the schema lacks the field, and with it every object that was stored under it. */
function compareField(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  position: FieldPosition,
): readonly SchemaChange[] {
  if (before === undefined) return [];
  if (after === undefined) return [{ kind: "drop", path: position.path, keyword: "properties" }];
  return compare(before, after, position);
}

function compareItems(before: JsonObject, after: JsonObject, position: FieldPosition): readonly SchemaChange[] {
  const [was, is] = [findItemsSchema(before, position), findItemsSchema(after, position)];
  if (was === undefined || is === undefined) return [];
  const level = position.level === "nested" ? "nested" : "items";
  return compare(was, is, { path: `${position.path}[*]`, level, isRequired: false });
}

/** The fields that every object has, even if its schema omits them. The API server never drops fields of metadata. */
const IMPLIED: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ["apiVersion", { type: "string" }],
  ["kind", { type: "string" }],
  // A schema may restrict only these two fields of metadata.
  [
    "metadata",
    { ...ANY_SCHEMA, type: "object", properties: { name: { type: "string" }, generateName: { type: "string" } } },
  ],
]);

function findFieldSchema(schema: JsonObject, name: string, position: FieldPosition): JsonObject | undefined {
  const own = schemaAt(schema, "properties", name);
  const isResource = position.level === "root" || flagAt(schema, "x-kubernetes-embedded-resource") === true;
  const implied = isResource ? IMPLIED.get(name) : undefined;
  if (implied !== undefined) {
    const properties = { ...objectAt(implied, "properties"), ...objectAt(own, "properties") };
    return { ...own, ...implied, properties };
  }
  return own ?? findOtherFieldsSchema(schema, position);
}

/** The schema of the fields that a schema does not name. */
function findOtherFieldsSchema(schema: JsonObject, { level }: FieldPosition): JsonObject | undefined {
  const additional = schemaAt(schema, "additionalProperties");
  if (additional !== undefined) return additional;
  const kept = level === "nested" || isPreservingUnknown(schema) || flagAt(schema, "additionalProperties") === true;
  return kept ? ANY_SCHEMA : undefined;
}

function findItemsSchema(schema: JsonObject, { level }: FieldPosition): JsonObject | undefined {
  return schemaAt(schema, "items") ?? (level === "nested" || isPreservingUnknown(schema) ? ANY_SCHEMA : undefined);
}

function isPreservingUnknown(schema: JsonObject): boolean {
  return flagAt(schema, "x-kubernetes-preserve-unknown-fields") === true;
}

function schemaAt(schema: JsonObject, ...path: readonly string[]): JsonObject | undefined {
  const value = at(schema, ...path);
  return isObject(value) ? value : undefined;
}

function joinPath({ path }: FieldPosition, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function findTightenedJunctors(before: JsonObject, after: JsonObject): readonly string[] {
  const [was, is] = [getConjuncts(before), getConjuncts(after)];
  return [
    ...(hasMore(getShapes(was), getShapes(is)) ? ["allOf"] : []),
    ...(getAnyOfs(after).some((group) => !getAnyOfs(before).some((known) => isCoveredBy(known, group)))
      ? ["anyOf"]
      : []),
    // More alternatives do not help here: an object that fits two of them is invalid.
    ...(hasMore(getOneOfs(was), getOneOfs(is)) ? ["oneOf"] : []),
    ...(hasMore(getNegations(was), getNegations(is)) ? ["not"] : []),
  ];
}

/** The parts of allOf that describe fields and items; other keywords count as if they were next to the allOf. */
function getShapes([, ...others]: readonly JsonObject[]): ReadonlySet<string> {
  const shapes = others.map((schema) => ({
    properties: objectAt(schema, "properties"),
    items: objectAt(schema, "items"),
  }));
  return new Set(shapes.map(formatCanonicalJson).filter((text) => text !== NO_SHAPE));
}

const NO_SHAPE = formatCanonicalJson({ properties: {}, items: {} });
const INT_OR_STRING = formatCanonicalJson([{ type: "integer" }, { type: "string" }]);

/** Lists of alternatives of which a value must fit one. The list of int-or-string adds nothing to the type. */
function getAnyOfs(schema: JsonObject): readonly (readonly Json[])[] {
  const groups = getConjuncts(schema).map((one) => listAt(one, "anyOf"));
  const isIntOrString = getTypes(schema).length === 2;
  return groups.filter((group) => group.length > 0 && !(isIntOrString && formatCanonicalJson(group) === INT_OR_STRING));
}

/** Whether every value that fits one of `known` also fits one of `group`. */
function isCoveredBy(known: readonly Json[], group: readonly Json[]): boolean {
  const nested: FieldPosition = { path: "", level: "nested", isRequired: false };
  return known.every((was) =>
    group.some((is) => isObject(was) && isObject(is) && compare(was, is, nested).length === 0),
  );
}

function getOneOfs(schemas: readonly JsonObject[]): ReadonlySet<string> {
  const groups = schemas.map((schema) => [...getCanonicalItems([schema], "oneOf")].toSorted(compareText));
  return new Set(groups.filter((group) => group.length > 0).map((group) => group.join("\n")));
}

function getNegations(schemas: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(schemas.flatMap((schema) => (isObject(schema["not"]) ? formatCanonicalJson(schema["not"]) : [])));
}
