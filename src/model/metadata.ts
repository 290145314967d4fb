import { type Json, type JsonObject, listAt, objectAt, parseObject, textAt } from "./json.ts";

/** A copy of the whole object, which "kubectl apply" stores in an annotation. */
export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * An object's apiVersion, kind and metadata, without the parts of metadata that repeat the rest of the object: of managed fields, it keeps
 * who wrote when in which version, and of the last applied configuration the version.
 */
export function selectMetadata(object: JsonObject): JsonObject {
  const { apiVersion = "", kind = "" } = object;
  const { managedFields: _fields, annotations: _annotations, ...kept } = objectAt(object, "metadata");
  const { [LAST_APPLIED]: applied, ...annotations } = objectAt(object, "metadata", "annotations");
  const managedFields = listAt(object, "metadata", "managedFields").map(selectWriter);
  return {
    apiVersion,
    kind,
    metadata: {
      ...kept,
      annotations: { ...annotations, ...selectAppliedVersion(applied) },
      ...(managedFields.length === 0 ? {} : { managedFields }),
    },
  };
}

/** The API server's own fields alone, so that no other can carry a secret. */
function selectWriter(entry: Json): JsonObject {
  const keys = ["manager", "operation", "apiVersion", "time", "subresource"];
  return Object.fromEntries(Object.entries(objectAt(entry)).filter(([key]) => keys.includes(key)));
}

/** "apps/v1", "v1beta1". */
const API_VERSION = /^(?:[a-z0-9.-]{1,253}\/)?v\d{1,4}(?:(?:alpha|beta)\d{1,4})?$/;

/** Anybody can edit the annotation, which may hold any text. */
function selectAppliedVersion(applied: Json | undefined): JsonObject {
  const apiVersion = typeof applied === "string" ? textAt(parseObject(applied), "apiVersion") : undefined;
  return apiVersion !== undefined && API_VERSION.test(apiVersion)
    ? { [LAST_APPLIED]: JSON.stringify({ apiVersion }) }
    : {};
}
