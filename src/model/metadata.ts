import { type JsonObject, objectAt } from "./json.ts";

/** A copy of the whole object, which "oc apply" leaves in its annotations. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The object without all that is not metadata, nor the copies of the rest that its metadata may hold. */
export function selectMetadata(object: JsonObject): JsonObject {
  const { apiVersion = "", kind = "" } = object;
  const { managedFields: _fields, annotations: _annotations, ...kept } = objectAt(object, "metadata");
  const { [LAST_APPLIED]: _applied, ...annotations } = objectAt(object, "metadata", "annotations");
  return { apiVersion, kind, metadata: { ...kept, annotations } };
}
