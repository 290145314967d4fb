import type { Crd, CrdVersion } from "../../model/crd.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { ManifestEdit, ManifestFinding, ManifestJudge, ManifestUnknown } from "../../model/manifest.ts";
import { createFieldMask } from "../../model/secrets/redact-text.ts";
import { capitalize, joinNames, sortNames } from "../../model/text.ts";
import {
  type CompiledSchema,
  type FieldError,
  type RequestResult,
  compileSchema,
  validateReplacement,
  validateRequest,
} from "../../schema/crd/index.ts";
import { hasFeature } from "../../schema/openapi/index.ts";
import { applyManifest } from "./apply.ts";
import { parseFieldPath } from "../field-paths.ts";
import type { CatalogCrd, CrdCatalog } from "./crd-catalog.ts";
import { describeUnknownField, remedyError } from "./remedies.ts";

/** The names that these faults have in a cluster, where crd-skew finds them. */
const OBJECT_INVALID = "CustomResourceInvalid";
const FIELDS_DROPPED = "CustomResourceFieldsDropped";
const VERSION_REMOVED = "CrdServedVersionRemoved";

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
    return { applies: true, ...judge(object, last.schema, found, validate) };
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

/** With the same schema in a version that is served, nothing else changes its meaning. */
function buildNotServed({ crd, where }: CatalogCrd, name: string, version: CrdVersion | undefined): ManifestFinding {
  const served = crd.versions.filter((one) => one.served);
  const alike = served.findLast(({ schema }) => version !== undefined && schema === version.schema);
  const names = sortNames(served.map((one) => one.name));
  const next = served.find(({ storage }) => storage) ?? served.at(-1);
  const serves = names.length === 0 ? "serves no version" : `serves ${joinNames(names)}`;
  const edit: ManifestEdit | undefined = alike && {
    kind: "set",
    path: ["apiVersion"],
    value: `${crd.group}/${alike.name}`,
  };
  const write = alike ?? next;
  const check = alike === undefined ? ", and check its fields against that version" : ": its fields are the same";
  return {
    risk: VERSION_REMOVED,
    effect: "refused",
    path: ["apiVersion"],
    message: `${capitalize(where)} ${crd.name} does not serve ${name}: it ${serves}.`,
    remedy:
      write === undefined
        ? `Remove the object, or bring a CRD that serves it.`
        : `Write apiVersion: ${crd.group}/${write.name}${check}.`,
    ...(edit === undefined ? {} : { edits: [edit] }),
  };
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
