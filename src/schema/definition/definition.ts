import { type JsonObject, at, formatCanonicalJson } from "../../model/json.ts";
import { validateObjectMeta } from "../objectmeta/embedded-resource.ts";
import { formatBracketPath } from "../structural/field-path.ts";
import { compileProps } from "../schema-compiler.ts";
import { formatValue } from "../structural/value-text.ts";
import { requireConversion } from "./conversion.ts";
import { requireDecodable } from "./decode.ts";
import { selectDefaults } from "./default-paths.ts";
import { requireDefaults } from "./defaults.ts";
import { requireApproval, requireGroupAndScope, requireNames, requireOwnName } from "./names.ts";
import { type Options, STRICT } from "./options.ts";
import { type DefinitionReport, type Verdict, leaveUndecided, newReport, refuse } from "./report.ts";
import { rootContext } from "./rule-context.ts";
import { requireTotalCost } from "./rules.ts";
import type { SchemaProps } from "./schema-props.ts";
import { isSchemaKeyword } from "./schema-decoder.ts";
import { requireSchema } from "./schema-walk.ts";
import { hasDefaults, hasSchema, requireStructural, unreadable } from "./structure.ts";
import { isEstablished, findTolerance } from "./tolerance.ts";
import {
  type DefinedVersion,
  requireStoredVersions,
  requireVersion,
  requireVersions,
  parseVersions,
} from "./versions.ts";

export type { Refusal, Verdict } from "./report.ts";

/**
 * Judges whether an API server accepts a CustomResourceDefinition (apiextensions.k8s.io/v1), new or in place of the installed one, by the
 * rules of Kubernetes 1.36 (apiextensions-apiserver's validation of CRDs) with feature gates at their defaults. Older API servers know
 * fewer CEL functions.
 */
export function judgeDefinition(definition: JsonObject, installed?: JsonObject): Verdict {
  return judge(definition, installed, (versions) => (installed ? findTolerance(versions, installed) : STRICT));
}

/** As for a new definition, without the schemas of these versions: the API server has accepted them before. */
export function judgeChanges(definition: JsonObject, accepted: ReadonlySet<string>): Verdict {
  return judge(definition, undefined, () => ({ ...STRICT, accepted }));
}

function judge(
  definition: JsonObject,
  installed: JsonObject | undefined,
  findOptions: (versions: readonly DefinedVersion[]) => Options,
): Verdict {
  const report = newReport();
  requireDecodable(definition, report);
  const versions = parseVersions(definition, report);
  if (report.refusals.length === 0) requireDefinition(definition, versions, installed, findOptions(versions), report);
  return report;
}

function requireDefinition(
  definition: JsonObject,
  versions: readonly DefinedVersion[],
  installed: JsonObject | undefined,
  options: Options,
  report: DefinitionReport,
): void {
  if (!installed) requireOwnName(definition, report);
  requireMetadata(definition, installed !== undefined, report);
  requireGroupAndScope(definition, report);
  requireNames(definition, report);
  requireVersions(versions, report);
  for (const version of versions) {
    report.version = version.name;
    requireVersion(version, options.manySelectable.has(version.name), report);
  }
  requireSchemas(definition, versions, options, report);
  report.version = "";
  requireConversion(definition, options.tolerates, report);
  requireStoredVersions(versions, installed, report);
  requireApproval(definition, installed, report);
  if (installed) requireUnchanged(definition, installed, report);
  requirePreserving(definition, installed, versions, report);
}

/** Finalizers are only validated on create. */
function requireMetadata(definition: JsonObject, isUpdate: boolean, report: DefinitionReport): void {
  for (const { field, message } of validateObjectMeta(at(definition, "metadata"))) {
    if (!isUpdate || field[1] !== "finalizers") refuse(report, formatBracketPath(field), message);
  }
}

function requirePreserving(
  definition: JsonObject,
  installed: JsonObject | undefined,
  versions: readonly DefinedVersion[],
  report: DefinitionReport,
): void {
  const path = "spec.preserveUnknownFields";
  if (at(definition, "spec", "preserveUnknownFields") !== true) return;
  if (at(installed, "spec", "preserveUnknownFields") !== true) {
    refuse(report, path, "must be false; use x-kubernetes-preserve-unknown-fields in the schema");
  }
  if (versions.some(({ schema }) => schema && hasDefaults(schema))) {
    refuse(report, path, "must be false if the schema has defaults");
  }
}

/** Fields that can't change once the CRD is established, or at all. */
function requireUnchanged(definition: JsonObject, installed: JsonObject, report: DefinitionReport): void {
  const fixed = [["group"], ["names", "plural"], ...(isEstablished(installed) ? [["scope"], ["names", "kind"]] : [])];
  for (const path of fixed) {
    const before = at(installed, "spec", ...path);
    if (at(definition, "spec", ...path) === before) continue;
    refuse(report, `spec.${path.join(".")}`, `can't be changed: it is ${formatValue(before ?? null)}`);
  }
}

/** If all versions have the same schema, it is judged once. */
function requireSchemas(
  definition: JsonObject,
  versions: readonly DefinedVersion[],
  options: Options,
  report: DefinitionReport,
): void {
  const preserves = at(definition, "spec", "preserveUnknownFields") === true;
  for (const { name, path, schema, isServed } of versions) {
    report.version = name;
    const needsSchema = !options.tolerates.noSchema || (!preserves && isServed);
    if (schema === undefined && needsSchema) refuse(report, `${path}.schema.openAPIV3Schema`, "is required");
  }
  const isShared = haveOneSchema(versions);
  const pending = versions.filter(({ name }) => !options.accepted.has(name));
  const needsStructure =
    !options.tolerates.unstructured || !preserves || versions.some(({ schema }) => schema && needsStructureFor(schema));
  for (const version of isShared ? pending.slice(0, 1) : pending) {
    report.version = version.name;
    const hasStatus = isShared ? versions.some((one) => one.hasStatus) : version.hasStatus;
    requireVersionSchema({ ...version, hasStatus }, needsStructure, options, report);
  }
}

function haveOneSchema(versions: readonly DefinedVersion[]): boolean {
  if (versions.length === 1) return true;
  return new Set(versions.map(({ schema }) => (schema ? formatCanonicalJson(schema.raw) : ""))).size === 1;
}

/** Defaults and the x-kubernetes keywords require a structural schema. */
function needsStructureFor(schema: SchemaProps): boolean {
  return hasSchema(
    schema,
    (one) =>
      one.default !== undefined ||
      one.embedded ||
      one.preserve !== undefined ||
      one.intOrString ||
      one.listMapKeys.length > 0 ||
      one.listType !== undefined ||
      one.rules.length > 0,
  );
}

function requireVersionSchema(
  { schema, path: versionPath, hasStatus, name }: DefinedVersion,
  needsStructure: boolean,
  { tolerates, unchanged }: Options,
  report: DefinitionReport,
): void {
  if (schema === undefined) return;
  const path = `${versionPath}.schema.openAPIV3Schema`;
  const before = report.refusals.length;
  requireRoot(schema, hasStatus, path, report);
  const isStructural = needsStructure && requireStructure(schema, path, tolerates.unprunedDefaults, report);
  const context = isStructural ? rootContext(schema) : undefined;
  requireSchema(schema, path, context, { tolerates, limitsRules: !unchanged.has(name) }, report);
  if (context) requireTotalCost(context, path, report);
  const fault = needsStructure ? unreadable(schema, path) : undefined;
  if (report.refusals.length === before && fault) refuse(report, ...fault);
}

/** Is the schema structural, with valid defaults? Rules are only judged then. */
function requireStructure(
  schema: SchemaProps,
  path: string,
  tolerateUnpruned: boolean,
  report: DefinitionReport,
): boolean {
  if (unreadable(schema, path)) return false;
  const before = report.refusals.length;
  requireStructural(schema, path, report);
  if (report.refusals.length > before) return false;
  if (!hasDefaults(schema)) return true;
  const prepared = compileProps(selectDefaults(schema), { allowsUnknownTypes: true });
  if (prepared.kind === "refused") leaveUndecided(report, path, prepared.message);
  else requireDefaults(schema, prepared, path, tolerateUnpruned, report);
  return report.refusals.length === before;
}

/** The keywords that the root may have if there is a status subresource. */
const WITH_STATUS = new Set(
  (
    "description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems " +
    "uniqueItems multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields x-kubernetes-validations"
  ).split(" "),
);

function requireRoot(schema: SchemaProps, hasStatus: boolean, path: string, report: DefinitionReport): void {
  if (schema.nullable) refuse(report, `${path}.nullable`, "can't be true at the root");
  if (!hasStatus) return;
  if (schema.type !== "" && schema.type !== "object") {
    refuse(report, `${path}.type`, "must be object at the root of a version with a status subresource");
  }
  for (const [keyword, value] of Object.entries(schema.raw)) {
    const isSet = value !== null && (keyword === "default" || (value !== false && value !== ""));
    if (WITH_STATUS.has(keyword) || !isSchemaKeyword(keyword) || !isSet) continue;
    refuse(report, `${path}.${keyword}`, "is not allowed at the root of a version with a status subresource");
  }
}
