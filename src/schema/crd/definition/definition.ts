import { type JsonObject, at, formatCanonicalJson } from "../../../model/json.ts";
import { validateObjectMeta } from "../writes/embedded-resource.ts";
import type { Place, Verdict, SchemaProps } from "../../openapi/index.ts";
import {
  formatBracketPath,
  formatValue,
  leaveUndecided,
  refuse,
  startReport,
  isSchemaKeyword,
  hasDefaults,
  hasSchema,
  requireStructural,
  findUnreadable,
} from "../../openapi/index.ts";
import { compileProps } from "../objects/schema-compiler.ts";
import type { Options } from "./spec.ts";
import {
  STRICT,
  requireApproval,
  requireConversion,
  requireDecodable,
  requireGroupAndScope,
  requireNames,
  requireOwnName,
} from "./spec.ts";
import { requireDefaults, selectDefaults } from "./defaults.ts";
import { rootContext, requireTotalCost } from "./rules.ts";
import { requireSchema } from "./schema-walk.ts";
import { isEstablished, findTolerance } from "./tolerance.ts";
import {
  type DefinedVersion,
  requireStoredVersions,
  requireVersion,
  requireSharedSchema,
  requireVersions,
  parseVersions,
  schemaPlace,
} from "./versions.ts";

/**
 * Judges whether an API server of Kubernetes 1.`minor` accepts a CustomResourceDefinition (apiextensions.k8s.io/v1), new or in place of the
 * installed one (apiextensions-apiserver's validation of CRDs), with feature gates at their defaults.
 */
export function judgeDefinition(definition: JsonObject, installed?: JsonObject, minor?: number): Verdict {
  const root = startReport(minor);
  return judge(definition, installed, root, (versions) =>
    installed ? findTolerance(versions, installed, root.minor) : STRICT,
  );
}

/** As for a new definition, without the schemas of these versions: the API server has accepted them before. */
export function judgeChanges(definition: JsonObject, accepted: ReadonlySet<string>, minor?: number): Verdict {
  return judge(definition, undefined, startReport(minor), () => ({ ...STRICT, accepted }));
}

/** A definition that could be decoded, and the one that it replaces. */
type Decoded = {
  readonly definition: JsonObject;
  readonly installed: JsonObject | undefined;
  readonly versions: readonly DefinedVersion[];
  readonly options: Options;
};

function judge(
  definition: JsonObject,
  installed: JsonObject | undefined,
  root: Place,
  findOptions: (versions: readonly DefinedVersion[]) => Options,
): Verdict {
  requireDecodable(definition, root);
  const versions = parseVersions(definition, root);
  if (root.report.refusals.length === 0) {
    requireDefinition({ definition, installed, versions, options: findOptions(versions) }, root);
  }
  return root.report;
}

function requireDefinition(decoded: Decoded, root: Place): void {
  const { definition, installed, versions, options } = decoded;
  if (!installed) requireOwnName(definition, root);
  requireMetadata(definition, installed !== undefined, root);
  requireGroupAndScope(definition, root);
  requireNames(definition, root);
  requireVersions(versions, root);
  requireSharedSchema(versions, root);
  for (const version of versions) requireVersion(version, options.manySelectable.has(version.name));
  requireSchemas(decoded);
  requireConversion(definition, options.tolerates, root);
  requireStoredVersions(
    versions.map(({ name }) => name),
    installed,
    root,
  );
  requireApproval(definition, installed, root);
  if (installed) requireUnchanged(definition, installed, root);
  requirePreserving(decoded, root);
}

/** Finalizers are only validated on create. */
function requireMetadata(definition: JsonObject, isUpdate: boolean, root: Place): void {
  for (const { field, message } of validateObjectMeta(at(definition, "metadata"))) {
    if (!isUpdate || field[1] !== "finalizers") refuse(root, formatBracketPath(field), message);
  }
}

function requirePreserving({ definition, installed, versions }: Decoded, root: Place): void {
  const path = "spec.preserveUnknownFields";
  if (at(definition, "spec", "preserveUnknownFields") !== true) return;
  if (at(installed, "spec", "preserveUnknownFields") !== true) {
    refuse(root, path, "must be false; use x-kubernetes-preserve-unknown-fields in the schema");
  }
  if (versions.some(({ schema }) => schema && hasDefaults(schema))) {
    refuse(root, path, "must be false if the schema has defaults");
  }
}

/** Fields that can't change once the CRD is established, or at all. */
function requireUnchanged(definition: JsonObject, installed: JsonObject, root: Place): void {
  const fixed = [["group"], ["names", "plural"], ...(isEstablished(installed) ? [["scope"], ["names", "kind"]] : [])];
  for (const path of fixed) {
    const before = at(installed, "spec", ...path);
    if (at(definition, "spec", ...path) === before) continue;
    refuse(root, `spec.${path.join(".")}`, `can't be changed: it is ${formatValue(before ?? null)}`);
  }
}

/** If all versions have the same schema, it is judged once. */
function requireSchemas({ definition, versions, options }: Decoded): void {
  const preserves = at(definition, "spec", "preserveUnknownFields") === true;
  for (const version of versions) {
    const needsSchema = !options.tolerates.noSchema || (!preserves && version.isServed);
    if (version.schema === undefined && needsSchema) refuse(schemaPlace(version), "", "is required");
  }
  const isShared = haveOneSchema(versions);
  const pending = versions.filter(({ name }) => !options.accepted.has(name));
  const needsStructure =
    !options.tolerates.unstructured || !preserves || versions.some(({ schema }) => schema && needsStructureFor(schema));
  for (const version of isShared ? pending.slice(0, 1) : pending) {
    const hasStatus = isShared ? versions.some((one) => one.hasStatus) : version.hasStatus;
    requireVersionSchema({ ...version, hasStatus }, needsStructure, options);
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

function requireVersionSchema(version: DefinedVersion, needsStructure: boolean, options: Options): void {
  const { schema, name, hasStatus } = version;
  if (schema === undefined) return;
  const { tolerates, unchanged } = options;
  const place = schemaPlace(version);
  const { refusals } = place.report;
  const before = refusals.length;
  requireRoot(schema, hasStatus, place);
  const isStructural = needsStructure && requireStructure(schema, tolerates.unprunedDefaults, place);
  const context = isStructural ? rootContext(schema, place.minor) : undefined;
  requireSchema(schema, context, { ...options, limitsRules: !unchanged.has(name) }, place);
  if (context) requireTotalCost(context, place);
  const fault = needsStructure ? findUnreadable(schema) : undefined;
  if (refusals.length === before && fault) refuse(place, ...fault);
}

/** Is the schema structural, with valid defaults? Rules are only judged then. */
function requireStructure(schema: SchemaProps, toleratesUnpruned: boolean, place: Place): boolean {
  if (findUnreadable(schema)) return false;
  const { refusals } = place.report;
  const before = refusals.length;
  requireStructural(schema, place);
  if (refusals.length > before) return false;
  if (!hasDefaults(schema)) return true;
  const prepared = compileProps(selectDefaults(schema), { kubernetesMinor: place.minor, allowsUnknownTypes: true });
  if (prepared.kind === "refused") leaveUndecided(place, "", prepared.message);
  else requireDefaults(schema, prepared, toleratesUnpruned, place);
  return refusals.length === before;
}

/** The keywords that the root may have if there is a status subresource. */
const WITH_STATUS = new Set(
  (
    "description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems " +
    "uniqueItems multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields x-kubernetes-validations"
  ).split(" "),
);

function requireRoot(schema: SchemaProps, hasStatus: boolean, place: Place): void {
  if (schema.nullable) refuse(place, ".nullable", "can't be true at the root");
  if (!hasStatus) return;
  if (schema.type !== "" && schema.type !== "object") {
    refuse(place, ".type", "must be object at the root of a version with a status subresource");
  }
  for (const [keyword, value] of Object.entries(schema.raw)) {
    const isSet = value !== null && (keyword === "default" || (value !== false && value !== ""));
    if (WITH_STATUS.has(keyword) || !isSchemaKeyword(keyword) || !isSet) continue;
    refuse(place, `.${keyword}`, "is not allowed at the root of a version with a status subresource");
  }
}
