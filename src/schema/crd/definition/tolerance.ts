import { type Json, type JsonObject, at, formatCanonicalJson, isObject, listAt } from "../../../model/json.ts";
import { compileProps } from "../objects/schema-compiler.ts";
import { isPruned } from "../objects/stored-object.ts";
import type { StructuralSchema, Place, SchemaProps } from "../../openapi/index.ts";
import {
  getAdditionalSchema,
  hasFeature,
  findFault,
  startReport,
  SCHEMA_TYPES,
  findStructuralFault,
  hasSchema,
} from "../../openapi/index.ts";
import { holdsCertificate } from "./certificates.ts";
import { type Options, hasKnownReviewVersion } from "./spec.ts";
import { requireAtomicItems, requireKeyValues } from "./schema-walk.ts";
import { MOST_SELECTABLE, type DefinedVersion, parseVersions } from "./versions.ts";

/** The faults that the API server tolerates because the installed CRD already has them. */
export function findTolerance(updated: readonly DefinedVersion[], installed: JsonObject, minor: number): Options {
  const versions = parseVersions(installed, startReport(minor));
  const schemas = versions.flatMap(({ schema }) => schema ?? []);
  return {
    tolerates: {
      noSchema: schemas.length < versions.length,
      unknownTypes: schemas.some((schema) => hasSchema(schema, ({ type }) => !SCHEMA_TYPES.has(type))),
      unstructured: schemas.some((schema) => findStructuralFault(schema, minor) !== undefined),
      unprunedDefaults: schemas.some((schema) => hasUnpruned(schema, minor)),
      sets: hasFault(schemas, requireAtomicSets),
      mapKeys: hasFault(schemas, requireKeyValues),
      reviewVersions: !hasKnownReviewVersion(installed),
      caBundle: !hasFeature("certificates", minor) || toleratesBundle(installed),
    },
    unchanged: hasFeature("unchangedCosts", minor) ? findUnchanged(updated, versions, formatSchema) : new Set(),
    accepted: new Set(),
    manySelectable: hasFeature("manySelectableFields", minor)
      ? findUnchanged(updated, versions, formatManySelectable)
      : new Set(),
    ...findInstalledExpressions(schemas, minor),
  };
}

/** API servers once looked for a message among the rules. */
function findInstalledExpressions(
  schemas: readonly SchemaProps[],
  minor: number,
): Pick<Options, "installedRules" | "installedMessages"> {
  const installedRules = new Set<string>();
  const messages = new Set<string>();
  const collect = (schema: SchemaProps): false => {
    for (const { rule, messageExpression } of schema.rules) {
      installedRules.add(rule);
      if (messageExpression !== "") messages.add(hasFeature("installedMessages", minor) ? messageExpression : rule);
    }
    return false;
  };
  for (const schema of schemas) hasSchema(schema, collect);
  return { installedRules, installedMessages: messages };
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

function hasUnpruned(schema: SchemaProps, minor: number): boolean {
  if (findStructuralFault(schema, minor) !== undefined) return false;
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

/** The names of the versions whose part is as it was; a part that does not count is undefined. */
function findUnchanged(
  updated: readonly DefinedVersion[],
  installed: readonly DefinedVersion[],
  format: (version: DefinedVersion) => string | undefined,
): ReadonlySet<string> {
  const unchanged = updated.filter((version) => {
    const before = installed.find(({ name }) => name === version.name);
    const part = before && format(before);
    return part !== undefined && part === format(version);
  });
  return new Set(unchanged.map(({ name }) => name));
}

function formatSchema({ raw }: DefinedVersion): string {
  const schema = at(raw, "schema");
  return isObject(schema) ? formatCanonicalJson(withoutNulls(schema)) : "";
}

function formatManySelectable({ raw }: DefinedVersion): string | undefined {
  const fields = listAt(raw, "selectableFields");
  return fields.length > MOST_SELECTABLE ? formatCanonicalJson(fields) : undefined;
}

/** Keywords whose value is null are absent. A null within a value is data. */
function withoutNulls(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([, value]) => value !== null);
  const clean = (keyword: string, value: Json): Json =>
    isObject(value) && !DATA_KEYWORDS.has(keyword) ? withoutNulls(value) : value;
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, clean(keyword, value)]));
}

const DATA_KEYWORDS = new Set(["default", "enum", "example", "required"]);
