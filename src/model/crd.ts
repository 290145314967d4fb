import type { Json, JsonObject } from "./json.ts";
import {
  at,
  flagAt,
  isObject,
  listAt,
  objectAt,
  parseObject,
  textAt,
  textsAt,
  formatCanonicalJson,
  isList,
} from "./json.ts";
import { LAST_APPLIED } from "./object.ts";

/** A version of a CustomResourceDefinition. `schema` is canonical JSON without descriptions ("" if absent): small, and equal texts mean equal schemas. */
export type CrdVersion = {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: string;
  readonly subresources: readonly string[];
  /** Absent without a scale subresource. */
  readonly scale?: ScalePaths;
};

/** Where a scale subresource reads: ".spec.replicas". */
export type ScalePaths = { readonly spec: string; readonly status: string; readonly selector?: string };

export type CrdConversion = {
  readonly strategy: string;
  readonly service?: { readonly namespace: string; readonly name: string };
};

/** The relevant fields of an apiextensions.k8s.io/v1 CustomResourceDefinition, of a cluster or a payload. */
export type Crd = {
  readonly name: string;
  readonly group: string;
  readonly scope: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly versions: readonly CrdVersion[];
  readonly conversion: CrdConversion;
  readonly preserveUnknownFields: boolean;
  /** The versions in which objects may be stored; empty for a CRD of a payload. */
  readonly storedVersions: readonly string[];
  /** The whole definition except the schemas, which `versions` holds, and metadata that only clients use. */
  readonly shell: JsonObject;
};

/** Undefined if the object is not an apiextensions.k8s.io/v1 CustomResourceDefinition with a group, kind, plural and versions. */
export function parseCrd(object: JsonObject): Crd | undefined {
  if (textAt(object, "apiVersion") !== "apiextensions.k8s.io/v1") return undefined;
  if (textAt(object, "kind") !== "CustomResourceDefinition") return undefined;
  const spec = objectAt(object, "spec");
  const name = textAt(object, "metadata", "name");
  const group = textAt(spec, "group");
  const kind = textAt(spec, "names", "kind");
  const plural = textAt(spec, "names", "plural");
  const versions = listAt(spec, "versions").map(parseCrdVersion);
  if (!name || !group || !kind || !plural || versions.length === 0) return undefined;
  return {
    name,
    group,
    kind,
    plural,
    scope: textAt(spec, "scope") ?? "",
    listKind: textAt(spec, "names", "listKind") ?? `${kind}List`,
    singular: textAt(spec, "names", "singular") ?? kind.toLowerCase(),
    versions,
    conversion: parseConversion(spec),
    preserveUnknownFields: flagAt(spec, "preserveUnknownFields") ?? false,
    storedVersions: textsAt(object, "status", "storedVersions"),
    shell: buildShell(object),
  };
}

/** Managed fields and the last applied configuration are as long as the schemas, and no validation reads them. */
function buildShell(object: JsonObject): JsonObject {
  const { managedFields: _fields, ...metadata } = objectAt(object, "metadata");
  const { [LAST_APPLIED]: _applied, ...annotations } = objectAt(metadata, "annotations");
  const hasAnnotations = isObject(metadata["annotations"]);
  return {
    ...object,
    ...(isObject(object["metadata"]) ? { metadata: { ...metadata, ...(hasAnnotations ? { annotations } : {}) } } : {}),
    spec: { ...objectAt(object, "spec"), versions: listAt(object, "spec", "versions").map(withoutSchema) },
  };
}

function withoutSchema(version: Json): Json {
  return isObject(at(version, "schema", "openAPIV3Schema"))
    ? { ...objectAt(version), schema: { ...objectAt(version, "schema"), openAPIV3Schema: null } }
    : version;
}

/** The definition as it was parsed, except for the descriptions, for validation by the rules for definitions. */
export function buildDefinition({ shell, versions }: Crd): JsonObject {
  const withSchemas = listAt(shell, "spec", "versions").map((version, i) => {
    const schema = parseObject(versions[i]?.schema ?? "");
    if (schema === undefined) return version;
    return { ...objectAt(version), schema: { ...objectAt(version, "schema"), openAPIV3Schema: schema } };
  });
  return { ...shell, spec: { ...objectAt(shell, "spec"), versions: withSchemas } };
}

function parseCrdVersion(version: Json): CrdVersion {
  const schema = at(version, "schema", "openAPIV3Schema");
  return {
    name: textAt(version, "name") ?? "",
    served: flagAt(version, "served") ?? false,
    storage: flagAt(version, "storage") ?? false,
    schema: isObject(schema) ? formatSchemaText(schema) : "",
    subresources: Object.keys(objectAt(version, "subresources")).toSorted(),
    ...parseScale(objectAt(version, "subresources", "scale")),
  };
}

function parseScale(scale: JsonObject): Pick<CrdVersion, "scale"> {
  const spec = textAt(scale, "specReplicasPath");
  const status = textAt(scale, "statusReplicasPath");
  const selector = textAt(scale, "labelSelectorPath");
  if (spec === undefined || status === undefined) return {};
  return { scale: { spec, status, ...(selector === undefined ? {} : { selector }) } };
}

function parseConversion(spec: JsonObject): CrdConversion {
  const service = objectAt(spec, "conversion", "webhook", "clientConfig", "service");
  const namespace = textAt(service, "namespace");
  const name = textAt(service, "name");
  return {
    strategy: textAt(spec, "conversion", "strategy") ?? "None",
    ...(namespace && name ? { service: { namespace, name } } : {}),
  };
}

/** Keywords whose values may be any JSON, so that a key "description" there is data. */
const DATA_KEYWORDS = new Set(["default", "enum", "example"]);
/** Keywords that map names to schemas, so that a key "description" there is a name. */
const NAME_MAP_KEYWORDS = new Set(["properties", "patternProperties", "definitions", "dependencies"]);
/** Keywords below which the API server refuses a description. */
const JUNCTORS = new Set(["allOf", "anyOf", "oneOf", "not"]);

/**
 * A schema as canonical JSON without its descriptions, which are most of its bytes and never affect validation; below a junctor "-" stands
 * for each. In one pass, since a release has megabytes of schemas.
 */
export function formatSchemaText(schema: JsonObject): string {
  const parts: string[] = [];
  addSchema(schema, false, parts);
  return parts.join("");
}

function addSchema(schema: JsonObject, isNested: boolean, parts: string[]): void {
  let separator = "{";
  for (const keyword of Object.keys(schema).toSorted()) {
    const value = schema[keyword] ?? null;
    const isDescription = keyword === "description" && typeof value === "string";
    if (isDescription && (!isNested || value === "")) continue;
    parts.push(separator, JSON.stringify(keyword), ":");
    separator = ",";
    if (isDescription) parts.push('"-"');
    else if (DATA_KEYWORDS.has(keyword)) parts.push(formatCanonicalJson(value));
    else addUnder(keyword, value, isNested || JUNCTORS.has(keyword), parts);
  }
  parts.push(separator === "{" ? "{}" : "}");
}

function addUnder(keyword: string, value: Json, isNested: boolean, parts: string[]): void {
  if (isList(value)) addItems(value, isNested, parts);
  else if (!isObject(value)) parts.push(formatCanonicalJson(value));
  else if (NAME_MAP_KEYWORDS.has(keyword)) addNamedSchemas(value, isNested, parts);
  else addSchema(value, isNested, parts);
}

function addItems(items: readonly Json[], isNested: boolean, parts: string[]): void {
  parts.push("[");
  for (const [i, item] of items.entries()) {
    if (i > 0) parts.push(",");
    addItem(item, isNested, parts);
  }
  parts.push("]");
}

function addNamedSchemas(schemas: JsonObject, isNested: boolean, parts: string[]): void {
  parts.push("{");
  for (const [i, name] of Object.keys(schemas).toSorted().entries()) {
    if (i > 0) parts.push(",");
    parts.push(JSON.stringify(name), ":");
    addItem(schemas[name] ?? null, isNested, parts);
  }
  parts.push("}");
}

function addItem(item: Json, isNested: boolean, parts: string[]): void {
  if (isObject(item)) addSchema(item, isNested, parts);
  else parts.push(formatCanonicalJson(item));
}
