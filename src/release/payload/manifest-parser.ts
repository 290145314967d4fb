import { type Crd, parseCrd } from "../../model/crd.ts";
import { type Json, type JsonObject, at, isList, isObject, listAt, objectAt, textAt } from "../../model/json.ts";
import type { ReleaseCheckText, ReleaseProblem } from "../../model/release.ts";
import { mayHoldChecks, parseCheckTexts } from "./check-texts.ts";
import type { FeatureSetGates, PayloadManifest } from "./payload.ts";
import type { YamlDocuments } from "../../encoding/yaml.ts";

export type ParsedManifests = {
  readonly manifests: readonly PayloadManifest[];
  /** Of each manifest, what it was parsed from. */
  readonly objects: readonly JsonObject[];
  readonly problems: readonly Pick<ReleaseProblem, "reason" | "message">[];
};

/** Annotations that decide whether and how a manifest applies. */
const INCLUSION_ANNOTATION = /^(?:(?:include|exclude)\.release|release|capability)\.openshift\.io\//;

/** Problems reported of one file: one with more is not a file of manifests at all. */
const MAX_PROBLEMS = 10;

/** Parses the manifests of a file, with Lists flattened. A document that is not a manifest is a problem; the others are kept. */
export function parseManifests(yaml: YamlDocuments, file: string): ParsedManifests {
  if (yaml.kind === "invalid")
    return { manifests: [], objects: [], problems: [{ reason: "InvalidYaml", message: yaml.message }] };
  const manifests: PayloadManifest[] = [];
  const objects: JsonObject[] = [];
  const problems: Pick<ReleaseProblem, "reason" | "message">[] = [];
  for (const object of yaml.documents.flatMap(flattenLists)) {
    const manifest = parseManifest(object, file);
    if (typeof manifest === "string") {
      if (problems.length < MAX_PROBLEMS) problems.push({ reason: "InvalidManifest", message: manifest });
      continue;
    }
    manifests.push(manifest);
    if (isObject(object)) objects.push(object);
  }
  // A substring of a file keeps the whole file in memory; a clone doesn't.
  return { ...structuredClone({ manifests, problems }), objects };
}

const READ_KINDS = /^(?:CustomResourceDefinition|FeatureGate|.*List)$/;

/** What parseManifests reads of a document: of most kinds only what names it. */
export function selectContent(document: Json): Json {
  const kind = textAt(document, "kind");
  if (kind === undefined || READ_KINDS.test(kind) || mayHoldChecks(document)) return document;
  const named = ["apiVersion", "kind", "metadata"].map((key) => [key, at(document, key)] as const);
  return Object.fromEntries(named.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

function flattenLists(value: Json): readonly Json[] {
  if (!isObject(value)) return [value];
  const kind = textAt(value, "kind") ?? "";
  const items = at(value, "items");
  if (!kind.endsWith("List") || !isList(items) || at(value, "metadata", "name") !== undefined) return [value];
  if (kind === "List") return items.flatMap(flattenLists);
  const inherited = { apiVersion: at(value, "apiVersion") ?? null, kind: kind.slice(0, -"List".length) };
  return items.flatMap((item) => (isObject(item) ? flattenLists({ ...inherited, ...item }) : [item]));
}

/** The manifest, or why it is invalid. */
function parseManifest(object: Json, file: string): PayloadManifest | string {
  if (!isObject(object)) return "a document is not an object";
  const apiVersion = textAt(object, "apiVersion");
  const kind = textAt(object, "kind");
  const name = textAt(object, "metadata", "name");
  const namespace = textAt(object, "metadata", "namespace");
  if (!kind) return `an object${name ? ` named ${name}` : ""} has no kind`;
  if (!name) return `a ${kind} has no metadata.name`;
  if (!apiVersion) return `${kind} ${name} has no apiVersion`;
  const annotations = selectAnnotations(object);
  if (typeof annotations === "string")
    return `${kind} ${name}: annotation ${annotations} is not a string: quote its value`;
  return { apiVersion, kind, ...(namespace ? { namespace } : {}), name, file, annotations, ...parseContent(object) };
}

/** The annotations that decide on inclusion, or the name of one that the API would reject. */
function selectAnnotations(object: JsonObject): ReadonlyMap<string, string> | string {
  const annotations = new Map<string, string>();
  for (const [key, value] of Object.entries(objectAt(object, "metadata", "annotations"))) {
    // The API reads null as the empty text.
    const text = value ?? "";
    if (typeof text !== "string") return key;
    if (INCLUSION_ANNOTATION.test(key)) annotations.set(key, text);
  }
  return annotations;
}

function parseContent(object: JsonObject): {
  readonly crd?: Crd;
  readonly gates?: FeatureSetGates;
  readonly checks?: readonly ReleaseCheckText[];
  readonly contentError?: string;
} {
  const [group, version] = (textAt(object, "apiVersion") ?? "").split("/");
  const kind = textAt(object, "kind");
  if (group === "config.openshift.io" && kind === "FeatureGate") return { gates: parseFeatureGate(object) };
  if (group === "v1" && kind === "ConfigMap") return { checks: parseCheckTexts(object) };
  if (group !== "apiextensions.k8s.io" || kind !== "CustomResourceDefinition") return {};
  const crd = parseCrd(object);
  if (crd) return { crd };
  if (version !== "v1")
    return {
      contentError: `is an apiextensions.k8s.io/${version ?? ""} CustomResourceDefinition, which is no longer served`,
    };
  return { contentError: "lacks a group, a kind, a plural name or versions" };
}

function parseFeatureGate(object: JsonObject): FeatureSetGates {
  return {
    featureSet: textAt(object, "spec", "featureSet") ?? "",
    details: listAt(object, "status", "featureGates").map((entry) => ({
      version: textAt(entry, "version") ?? "",
      enabled: listAt(entry, "enabled").flatMap((gate) => textAt(gate, "name") ?? []),
    })),
  };
}
