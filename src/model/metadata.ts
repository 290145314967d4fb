import { type JsonObject, objectAt } from "./json.ts";

/** A copy of the whole object, which "oc apply" stores in an annotation. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** An object's apiVersion, kind and metadata, without the parts of metadata that repeat the rest of the object. */
export function selectMetadata(object: JsonObject): JsonObject {
  const { apiVersion = "", kind = "" } = object;
  const { managedFields: _fields, annotations: _annotations, ...kept } = objectAt(object, "metadata");
  const { [LAST_APPLIED]: _applied, ...annotations } = objectAt(object, "metadata", "annotations");
  return { apiVersion, kind, metadata: { ...kept, annotations } };
}
