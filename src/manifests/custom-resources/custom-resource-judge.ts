import type { Crd, CrdVersion } from "../../model/crd.ts";
import { type Json, type JsonObject, isObject, objectsAt, parseObject, textAt } from "../../model/json.ts";
import type { ManifestFinding, ManifestJudge, ManifestUnknown } from "../../model/manifest.ts";
import { LAST_APPLIED } from "../../model/object.ts";
import { createFieldMask } from "../../model/secrets/redact-text.ts";
import { capitalize, joinNames, sortNames } from "../../model/text.ts";
import type { CompiledSchema, FieldError, RequestResult } from "../../schema/crd/index.ts";
import { compileSchema, validateReplacement, validateRequest } from "../../schema/crd/index.ts";
import { hasFeature } from "../../schema/openapi/index.ts";
import { parseFieldPath } from "../field-paths.ts";
import type { CatalogCrd, CrdCatalog } from "./crd-catalog.ts";
import { describeUnknownField, remedyError } from "./remedies.ts";

/** The names that these faults have in a cluster, where crd-skew finds them. */
const OBJECT_INVALID = "CustomResourceInvalid";
const FIELDS_DROPPED = "CustomResourceFieldsDropped";
const VERSION_REMOVED = "CrdServedVersionRemoved";
const VERSION_DEPRECATED = "CrdVersionDeprecated";

/** The objects of a cluster that manifests are about, by the manifests' objects. */
export type LiveObjects = ReadonlyMap<JsonObject, JsonObject>;

/**
 * Judges custom resources as an API server of Kubernetes 1.`minor` judges their create, under the CRDs of a catalog; those that live, as
 * "kubectl apply" updates them.
 */
export function createCustomResourceJudge(
  catalog: CrdCatalog,
  minor: number,
  live: LiveObjects = new Map(),
): ManifestJudge {
  const hasRatcheting = hasFeature("ratcheting", minor);
  // Objects come sorted by kind, and a compiled schema is large.
  let last: { readonly version: CrdVersion; readonly schema: ReturnType<typeof compile> } | undefined;
  return (object) => {
    const apiVersion = textAt(object, "apiVersion") ?? "";
    const found = catalog.find(apiVersion, textAt(object, "kind") ?? "");
    if (found === undefined) return { applies: false };
    const name = apiVersion.slice(apiVersion.lastIndexOf("/") + 1);
    const version = found.crd.versions.find((one) => one.name === name);
    if (version?.served !== true)
      return { applies: true, findings: [buildNotServed(found, name, version)], unknowns: [] };
    if (last?.version !== version) last = { version, schema: compile(found.crd, version, minor) };
    const stored = live.get(object);
    const validate: Validate = (schema) =>
      stored === undefined
        ? validateRequest(schema, object)
        : validateReplacement(schema, applyManifest(object, stored), stored, hasRatcheting);
    const { findings, unknowns } = judge(object, last.schema, found, validate);
    return { applies: true, findings: [...findings, ...findDeprecation(found, version)], unknowns };
  };
}

function compile(
  { preserveUnknownFields }: Crd,
  { schema, scale, subresources }: CrdVersion,
  kubernetesMinor: number,
): ReturnType<typeof compileSchema> | undefined {
  if (schema === "") return undefined;
  const hasStatus = subresources.includes("status");
  return compileSchema(schema, { kubernetesMinor, preserveUnknownFields, scale, hasStatus });
}

function buildNotServed({ crd, where }: CatalogCrd, name: string, version: CrdVersion | undefined): ManifestFinding {
  const names = sortNames(crd.versions.filter((one) => one.served).map((one) => one.name));
  const serves = names.length === 0 ? "serves no version" : `serves ${joinNames(names)}`;
  return {
    risk: VERSION_REMOVED,
    effect: "refused",
    path: ["apiVersion"],
    message: `${capitalize(where)} ${crd.name} does not serve ${name}: it ${serves}.`,
    ...(findOtherVersion(crd, name, version) ?? { remedy: "Remove the object, or bring a CRD that serves it." }),
  };
}

/** What to write instead of a version. With the same schema in one that is served, nothing else changes its meaning. */
function findOtherVersion(
  crd: Crd,
  name: string,
  version: CrdVersion | undefined,
): Pick<ManifestFinding, "remedy" | "edits"> | undefined {
  const others = crd.versions.filter((one) => one.served && one.name !== name && !isDeprecated(crd, one.name));
  const alike = others.findLast(({ schema }) => version !== undefined && schema === version.schema);
  const next = alike ?? others.find(({ storage }) => storage) ?? others.at(-1);
  if (next === undefined) return undefined;
  const value = `${crd.group}/${next.name}`;
  if (alike === undefined) return { remedy: `Write apiVersion: ${value}, and check its fields against that version.` };
  return {
    remedy: `Write apiVersion: ${value}: its fields are the same.`,
    edits: [{ kind: "set", path: ["apiVersion"], value }],
  };
}

function isDeprecated(crd: Crd, name: string): boolean {
  return findRow(crd, name)?.["deprecated"] === true;
}

function findRow({ shell }: Crd, name: string): JsonObject | undefined {
  return objectsAt(shell, "spec", "versions").find((one) => textAt(one, "name") === name);
}

/** The API server warns whoever writes such an object. */
function findDeprecation({ crd, where }: CatalogCrd, version: CrdVersion): readonly ManifestFinding[] {
  if (!isDeprecated(crd, version.name)) return [];
  const warning = textAt(findRow(crd, version.name), "deprecationWarning");
  return [
    {
      risk: VERSION_DEPRECATED,
      effect: "later",
      path: ["apiVersion"],
      message: `${capitalize(where)} ${crd.name} deprecates ${version.name}${warning ? `: ${warning}` : ""}.`,
      ...(findOtherVersion(crd, version.name, version) ?? { remedy: "Ask who makes the CRD what replaces it." }),
    },
  ];
}

type Judged = { readonly findings: readonly ManifestFinding[]; readonly unknowns: readonly ManifestUnknown[] };

type Validate = (schema: CompiledSchema) => RequestResult;

function judge(
  object: JsonObject,
  schema: ReturnType<typeof compile>,
  { crd, where }: CatalogCrd,
  validate: Validate,
): Judged {
  if (schema === undefined) return { findings: [], unknowns: [] };
  if (schema.kind === "refused") {
    const message = `${capitalize(where)} ${crd.name} can't be used: ${schema.message}.`;
    return { findings: [], unknowns: [{ reason: "CrdNotUsable", path: ["kind"], message }] };
  }
  const { errors, droppedPaths, unevaluatedRules } = validate(schema);
  const mask = errors.length === 0 ? toSame : createFieldMask(object);
  return {
    findings: [
      ...errors.map((error) => buildInvalid({ ...error, message: mask(error.message) }, object, schema)),
      ...droppedPaths.map((path) => buildDropped(path, object, schema)),
    ],
    unknowns: unevaluatedRules.map(({ path, rule }) => ({
      reason: "RuleNotEvaluated",
      path: parseFieldPath(object, path),
      message: `The rule ${rule} of ${where} ${crd.name} could not be evaluated.`,
    })),
  };
}

function toSame(text: string): string {
  return text;
}

function buildInvalid(error: FieldError, object: JsonObject, schema: CompiledSchema): ManifestFinding {
  const path = parseFieldPath(object, error.path);
  return {
    risk: OBJECT_INVALID,
    effect: "refused",
    path,
    message: `${error.message}.`,
    ...remedyError(error, path, object, schema.root),
  };
}

function buildDropped(text: string, object: JsonObject, schema: CompiledSchema): ManifestFinding {
  const path = parseFieldPath(object, text);
  return { risk: FIELDS_DROPPED, effect: "dropped", path, ...describeUnknownField(path, object, schema.root) };
}

/**
 * What "kubectl apply" makes of a stored custom resource (jsonmergepatch.CreateThreeWayJSONMergePatch): what the manifest has, what was
 * applied before and it no longer has is gone, and the rest stays. Lists are replaced as a whole.
 */
export function applyManifest(manifest: JsonObject, stored: JsonObject): JsonObject {
  const before = parseObject(textAt(stored, "metadata", "annotations", LAST_APPLIED) ?? "") ?? {};
  return merge(manifest, before, stored);
}

function merge(manifest: JsonObject, before: JsonObject, stored: JsonObject): JsonObject {
  const kept = Object.entries(stored).filter(([key]) => Object.hasOwn(manifest, key) || !Object.hasOwn(before, key));
  const written = Object.entries(manifest).flatMap(([key, value]): readonly (readonly [string, Json])[] =>
    // In a patch, null removes a field.
    value === null ? [] : [[key, mergeValue(value, before[key], stored[key])]],
  );
  const removed = new Set(Object.keys(manifest).filter((key) => manifest[key] === null));
  return Object.fromEntries([...kept.filter(([key]) => !removed.has(key)), ...written]);
}

function mergeValue(value: Json, before: Json | undefined, stored: Json | undefined): Json {
  if (!isObject(value)) return value;
  return merge(value, isObject(before) ? before : {}, isObject(stored) ? stored : {});
}
