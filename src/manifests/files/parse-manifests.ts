import { DEFICIENT_INDENTATION, indentFlow } from "../../encoding/yaml-flow.ts";
import { REPEATED_KEY, type YamlDocuments, parseDocuments } from "../../encoding/yaml.ts";
import { type Json, type JsonObject, isList, isObject, textAt } from "../../model/json.ts";
import type { Manifest, ManifestPath, UnreadManifest } from "../../model/manifest.ts";
import { getGroup } from "../../model/resource.ts";
import type { DocumentParser, DocumentText, PlaceFinder } from "./places.ts";
import { createDocumentParser, createPlaceFinder, splitDocuments, splitJson } from "./places.ts";
import { describePlaceholders, describeUnrendered } from "./placeholders.ts";
import { buildUnread } from "./manifest-files.ts";

/** A manifest as it stands in a file: in which of its documents, from 0, and where in it. */
export type FileManifest = Manifest & { readonly document: number; readonly path: ManifestPath };

/** `isNamed`: somebody named the file, and takes it for manifests. In a folder, other files are no fault. */
export type TextOrigin = { readonly file: string; readonly isNamed: boolean };

/** The manifests of a text, one by one, and what else it holds. */
export function* parseManifests(
  text: string,
  origin: TextOrigin,
  parse = createDocumentParser(),
): Generator<FileManifest | UnreadManifest> {
  const { file, isNamed } = origin;
  if (!isNamed && !text.includes("apiVersion")) {
    if (splitDocuments(text).length > 0) yield buildUnread("OtherContent", file, "it has no apiVersion");
    return;
  }
  for (const [index, document] of cutDocuments(text).entries()) yield* parseDocument(document, index, origin, parse);
}

/** Cuts a text as `parseManifests` does. */
export function cutDocuments(text: string): readonly DocumentText[] {
  const documents = splitDocuments(text);
  const [only] = documents;
  return documents.length === 1 && only !== undefined && /^\s*\{/.test(only.text) ? splitJson(only.text) : documents;
}

type ParsedContent = YamlDocuments & { readonly isRepeated?: boolean };

/** Of keys that repeat, the last one counts, as for kubectl. */
export function parseContent(text: string): ParsedContent {
  const parsed = parseDocuments(text);
  if (parsed.kind === "documents" || parsed.at?.reason !== REPEATED_KEY) return parsed;
  return { ...parseDocuments(text, undefined, true), isRepeated: true };
}

/** A document as it can be parsed: indented, if it has to be. */
export function indentDocument(document: DocumentText): {
  readonly document: DocumentText;
  readonly parsed: ParsedContent;
} {
  const parsed = parseContent(document.text);
  if (parsed.kind === "documents" || parsed.at?.reason !== DEFICIENT_INDENTATION) return { document, parsed };
  const indented = { ...document, ...indentFlow(document.text) };
  return { document: indented, parsed: parseContent(indented.text) };
}

function* parseDocument(
  written: DocumentText,
  index: number,
  origin: TextOrigin,
  parse: DocumentParser,
): Generator<FileManifest | UnreadManifest> {
  const { document, parsed } = indentDocument(written);
  const finder = createPlaceFinder(document, origin.file, parse);
  if (parsed.kind === "invalid") {
    yield describeInvalid(parsed, document, finder);
    return;
  }
  const [value = null] = parsed.documents;
  if (value === null) return;
  for (const found of listObjects(value, [])) {
    const fault = findFault(found, origin, finder);
    if (fault !== undefined) yield fault;
    else if (isObject(found.value))
      yield buildManifest(found.value, found.path, index, finder, parsed.isRepeated === true);
  }
}

function buildManifest(
  object: JsonObject,
  path: ManifestPath,
  document: number,
  finder: PlaceFinder,
  isRepeated: boolean,
): FileManifest {
  const locate = (own: ManifestPath) => finder.locate([...path, ...own]);
  const repeated = isRepeated ? finder.findRepeated(path) : [];
  return { object, locate, document, path, ...(repeated.length > 0 && { repeated }) };
}

function describeInvalid(
  { message, at }: Extract<YamlDocuments, { kind: "invalid" }>,
  document: DocumentText,
  finder: PlaceFinder,
): UnreadManifest {
  if (/more than \d/.test(message)) return buildUnread("TooLarge", finder.start, message);
  const place = finder.locate([]);
  const template = document.text.includes("{{") ? describePlaceholders(document.text) : undefined;
  if (template !== undefined) return buildUnread("NotRendered", place, template);
  if (at === undefined) return buildUnread("NotUnderstood", place, message);
  const column = at.column - (document.shifts?.get(at.line - 1) ?? 0) + (at.line === 1 ? document.column - 1 : 0);
  const position = { line: document.line + at.line - 1, column: Math.max(column, 1) };
  return buildUnread("NotUnderstood", { ...place, ...position }, `it is not valid YAML: ${at.reason}`);
}

type FoundValue = { readonly value: Json; readonly path: ManifestPath };

/** As kubectl reads a document: what has items is a list, whose kind those have that lack their own. */
function* listObjects(value: Json, path: ManifestPath): Generator<FoundValue> {
  const items = isObject(value) ? value["items"] : undefined;
  const kind = textAt(value, "kind") ?? "";
  if (!isObject(value) || !isList(items) || kind === "") {
    yield { value, path };
    return;
  }
  for (const [i, item] of items.entries()) yield* listObjects(addKind(item, value, kind), [...path, "items", i]);
}

function addKind(item: Json, list: JsonObject, listKind: string): Json {
  if (!isObject(item) || item["kind"] !== undefined || item["apiVersion"] !== undefined || listKind === "List")
    return item;
  return { apiVersion: list["apiVersion"] ?? null, kind: listKind.replace(/List$/, ""), ...item };
}

function findFault({ value, path }: FoundValue, origin: TextOrigin, finder: PlaceFinder): UnreadManifest | undefined {
  const apiVersion = textAt(value, "apiVersion") ?? "";
  const kind = textAt(value, "kind") ?? "";
  const unrendered = describeUnrendered(value);
  if (unrendered !== undefined) return buildUnread("NotRendered", finder.locate(path), unrendered);
  if (apiVersion !== "" && kind !== "") {
    const tool = findTool(apiVersion, kind);
    return tool === undefined ? undefined : buildUnread("OtherContent", finder.locate(path), `it is a file of ${tool}`);
  }
  const lacking = [...(apiVersion === "" ? ["apiVersion"] : []), ...(kind === "" ? ["kind"] : [])];
  const isManifest =
    isObject(value) && ["apiVersion", "kind", "metadata"].filter((key) => value[key] !== undefined).length > 1;
  const reason = origin.isNamed || path.length > 0 || isManifest ? "NotAnObject" : "OtherContent";
  const message = isObject(value) ? `it has no ${lacking.join(" and no ")}` : "it is not an object";
  return buildUnread(reason, finder.locate(path), message);
}

/** Who reads files that look like objects and that no API server takes. */
const TOOLS: Readonly<Record<string, string>> = {
  "apiserver.config.k8s.io": "kube-apiserver",
  "audit.k8s.io": "kube-apiserver",
  "backstage.io": "Backstage",
  "chainsaw.kyverno.io": "Chainsaw",
  "cli.kyverno.io": "Kyverno's command",
  "kind.x-k8s.io": "kind",
  "kubeadm.k8s.io": "kubeadm",
  "kubelet.config.k8s.io": "the kubelet",
  "kubeproxy.config.k8s.io": "kube-proxy",
  "kubescheduler.config.k8s.io": "kube-scheduler",
  "kustomize.config.k8s.io": "Kustomize",
  "kuttl.dev": "KUTTL",
  "mirror.openshift.io": "oc-mirror",
  "scorecard.operatorframework.io": "operator-sdk",
  skaffold: "Skaffold",
};

function findTool(apiVersion: string, kind: string): string | undefined {
  if (apiVersion === "v1" && kind === "Config") return "kubectl: a kubeconfig";
  const group = getGroup(apiVersion);
  return Object.hasOwn(TOOLS, group) ? TOOLS[group] : undefined;
}
