import { dirname, join } from "node:path/posix";
import { type Json, isList, isObject, textAt, textsAt } from "../../model/json.ts";
import { getGroup } from "../../model/resource.ts";
import { parseContent } from "./parse-manifests.ts";

/** A kustomization of a folder, with the files and folders that it names, relative to the root of all. */
export type Kustomization = {
  readonly name: string;
  readonly folder: string;
  readonly resources: readonly string[];
  readonly references: readonly string[];
  /** It changes nothing of its resources but names, labels, annotations and images. */
  readonly isPlain: boolean;
};

/** Fields that change nothing by which a manifest is judged. */
const PLAIN_FIELDS = new Set([
  "apiVersion",
  "kind",
  "metadata",
  "resources",
  "namespace",
  "namePrefix",
  "nameSuffix",
  "labels",
  "commonLabels",
  "commonAnnotations",
  "images",
  "configMapGenerator",
  "secretGenerator",
  "generatorOptions",
  "sortOptions",
  "buildMetadata",
]);

/** Undefined if the text is none, which is then read as any other file. */
export function parseKustomization(name: string, text: string): Kustomization | undefined {
  const parsed = parseContent(text);
  const content = parsed.kind === "documents" ? parsed.documents[0] : undefined;
  const group = getGroup(textAt(content, "apiVersion") ?? "");
  if (!isObject(content) || (group !== "" && group !== "kustomize.config.k8s.io")) return undefined;
  const folder = dirname(name);
  const resources = textsAt(content, "resources");
  // A resource may be elsewhere: a URL, or the address of a repository.
  const resolve = (path: string): string => join(folder, path);
  return {
    name,
    folder,
    resources: resources.map(resolve),
    references: listTexts(content)
      .flatMap((line) => [line, line.slice(line.indexOf("=") + 1)])
      .map(resolve),
    isPlain: Object.keys(content).every((key) => PLAIN_FIELDS.has(key)) && content["kind"] !== "Component",
  };
}

/** Longer texts are patches. */
function listTexts(value: Json): readonly string[] {
  if (typeof value === "string") return value.includes("\n") ? [] : [value];
  if (isList(value)) return value.flatMap(listTexts);
  return isObject(value) ? Object.values(value).flatMap(listTexts) : [];
}
