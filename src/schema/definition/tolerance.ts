import { type JsonObject, at, formatCanonicalJson, isObject, listAt } from "../../model/json.ts";
import { compileProps } from "../schema-compiler.ts";
import { isPruned } from "../stored-object.ts";
import { type StructuralSchema, getAdditionalSchema } from "../structural/structural-schema.ts";
import { holdsCertificate } from "./certificates.ts";
import { hasKnownReviewVersion } from "./conversion.ts";
import { requireAtomicItems, requireKeyValues } from "./list-rules.ts";
import type { Options } from "./options.ts";
import { type Place, findFault, startReport } from "./report.ts";
import { SCHEMA_TYPES, type SchemaProps } from "./schema-props.ts";
import { findStructuralFault, hasSchema } from "./structure.ts";
import { MOST_SELECTABLE, type DefinedVersion, parseVersions } from "./versions.ts";

/** The faults that the API server tolerates because the installed CRD already has them. */
export function findTolerance(updated: readonly DefinedVersion[], installed: JsonObject): Options {
  const versions = parseVersions(installed, startReport());
  const schemas = versions.flatMap(({ schema }) => schema ?? []);
  return {
    tolerates: {
      noSchema: schemas.length < versions.length,
      unknownTypes: schemas.some((schema) => hasSchema(schema, ({ type }) => !SCHEMA_TYPES.has(type))),
      unstructured: schemas.some((schema) => findStructuralFault(schema) !== undefined),
      unprunedDefaults: schemas.some(hasUnpruned),
      sets: hasFault(schemas, requireAtomicSets),
      mapKeys: hasFault(schemas, requireKeyValues),
      reviewVersions: !hasKnownReviewVersion(installed),
      caBundle: toleratesBundle(installed),
    },
    unchanged: new Set(updated.filter((version) => isSame(version, versions)).map(({ name }) => name)),
    accepted: new Set(),
    manySelectable: findManySelectable(updated, versions),
  };
}

export function isEstablished(installed: JsonObject): boolean {
  return listAt(installed, "status", "conditions").some(
    (condition) => at(condition, "type") === "Established" && at(condition, "status") === "True",
  );
}

function hasFault(schemas: readonly SchemaProps[], judge: (schema: SchemaProps, place: Place) => void): boolean {
  const isFaulty = (one: SchemaProps): boolean => findFault((place) => judge(one, place)) !== undefined;
  return schemas.some((schema) => hasSchema(schema, isFaulty));
}

function requireAtomicSets({ listType, items }: SchemaProps, place: Place): void {
  if (listType === "set" && items) requireAtomicItems(items, place);
}

function hasUnpruned(schema: SchemaProps): boolean {
  if (findStructuralFault(schema) !== undefined) return false;
  const compiled = compileProps(schema, { allowsUnknownTypes: true });
  return compiled.kind === "prepared" && hasUnprunedDefaults(compiled.root);
}

function hasUnprunedDefaults(schema: StructuralSchema): boolean {
  if (schema.default !== undefined && isPruned(schema.default.value, schema)) return true;
  const below = [schema.items, getAdditionalSchema(schema), ...schema.properties.values()];
  return below.some((child) => child !== undefined && hasUnprunedDefaults(child));
}

function toleratesBundle(installed: JsonObject): boolean {
  if (!isEstablished(installed)) return true;
  const bundle = at(installed, "spec", "conversion", "webhook", "clientConfig", "caBundle");
  return typeof bundle === "string" && bundle !== "" && !holdsCertificate(bundle);
}

function isSame({ name, raw }: DefinedVersion, installed: readonly DefinedVersion[]): boolean {
  const before = installed.find((version) => version.name === name);
  return before !== undefined && schemaText(raw) === schemaText(before.raw);
}

function schemaText(version: DefinedVersion["raw"]): string {
  const schema = at(version, "schema");
  return isObject(schema) ? formatCanonicalJson(withoutNulls(schema)) : "";
}

/** Keywords whose value is null are absent. A null within a value is data. */
function withoutNulls(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([, value]) => value !== null);
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      isObject(value) && !DATA_KEYWORDS.has(keyword) ? withoutNulls(value) : value,
    ]),
  );
}

const DATA_KEYWORDS = new Set(["default", "enum", "example", "required"]);

function findManySelectable(
  updated: readonly DefinedVersion[],
  installed: readonly DefinedVersion[],
): ReadonlySet<string> {
  const before = new Map(installed.map(({ name, raw }) => [name, listAt(raw, "selectableFields")]));
  const same = updated.filter(({ name, raw }) => {
    const fields = before.get(name) ?? [];
    return (
      fields.length > MOST_SELECTABLE &&
      formatCanonicalJson(fields) === formatCanonicalJson(listAt(raw, "selectableFields"))
    );
  });
  return new Set(same.map(({ name }) => name));
}
