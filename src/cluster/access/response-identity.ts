import { type JsonObject, textAt } from "../../model/json.ts";
import type { ListPart, ObjectLocation } from "../../model/reader.ts";
import { type Resource, formatGroupVersion } from "../../model/resource.ts";

// A proxy or a broken API server may answer a request with something else. What it sends must not be judged in place of what was
// requested: each function returns what arrived instead, or undefined if it is what was requested.

export function findObjectMismatch(location: ObjectLocation, object: JsonObject): string | undefined {
  const mismatch = findKindMismatch(location.resource, object);
  if (mismatch !== undefined) return mismatch;
  const name = textAt(object, "metadata", "name");
  const namespace = textAt(object, "metadata", "namespace") ?? "";
  if (name === location.name && namespace === (location.namespace ?? "")) return undefined;
  const received =
    name === undefined ? "an object without a name" : `${namespace === "" ? "" : `${namespace}/`}${name}`;
  return `with ${received}, not with the requested object`;
}

/** Of an object, or an item of a list. */
export function findKindMismatch(resource: Resource, object: JsonObject): string | undefined {
  const apiVersion = textAt(object, "apiVersion") ?? "";
  const kind = textAt(object, "kind") ?? "";
  if (apiVersion === formatGroupVersion(resource) && isKindOf(resource, kind)) return undefined;
  return describeMismatch(resource, apiVersion, kind);
}

/** Asks for no more of an object than its metadata. */
export const METADATA_ACCEPT = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

const METADATA_API_VERSIONS = new Set(["meta.k8s.io/v1", "meta.k8s.io/v1beta1"]);

/** Of a list's own apiVersion and kind. The items of a generic List carry their own. */
export function findListMismatch(resource: Resource, head: JsonObject, part?: ListPart): string | undefined {
  const apiVersion = textAt(head, "apiVersion") ?? "";
  const kind = textAt(head, "kind") ?? "";
  if (apiVersion === "v1" && kind === "List") return undefined;
  if (part === "metadata" && METADATA_API_VERSIONS.has(apiVersion) && kind === "PartialObjectMetadataList")
    return undefined;
  if (apiVersion === formatGroupVersion(resource) && isListKindOf(resource, kind)) return undefined;
  return describeMismatch(resource, apiVersion, kind);
}

/** Gives an item the apiVersion and kind of its list, which built-in kinds leave out of their items. Undefined while they are unknown. */
export function inheritKind(item: JsonObject, head: JsonObject): JsonObject | undefined {
  if (textAt(item, "apiVersion") && textAt(item, "kind")) return item;
  const apiVersion = textAt(head, "apiVersion");
  const kind = textAt(head, "kind")?.replace(/List$/, "");
  return apiVersion && kind ? { ...item, apiVersion, kind } : undefined;
}

/** True for an item of a metadata list, which does not show the kind of its object. */
export function isMetadataItem(object: JsonObject): boolean {
  return METADATA_API_VERSIONS.has(textAt(object, "apiVersion") ?? "") && object["kind"] === "PartialObjectMetadata";
}

function describeMismatch(resource: Resource, apiVersion: string, kind: string): string {
  const received = kind === "" ? "an object without a kind" : `${kind} of ${apiVersion || "no version"}`;
  return `with ${received}, not with ${resource.resource} of ${formatGroupVersion(resource)}`;
}

function isListKindOf(resource: Resource, listKind: string): boolean {
  if (resource.listKind !== undefined) return listKind === resource.listKind;
  return listKind.endsWith("List") && isKindOf(resource, listKind.slice(0, -"List".length));
}

/** A path names the plural alone. Unless the definition of the kind was read too, the two must be the same word. */
function isKindOf(resource: Resource, kind: string): boolean {
  if (resource.kind !== undefined) return kind === resource.kind;
  return kind !== "" && getStem(kind) === getStem(resource.resource);
}

/** Equal for the singular and the regular plural: "node" and "nodes", "policy" and "policies", "dns" and "dnses". */
function getStem(word: string): string {
  return word
    .toLowerCase()
    .replaceAll("-", "")
    .replace(/(?:ies|[yes])+$/, "");
}
