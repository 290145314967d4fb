import { type Json, type JsonObject, isList, isObject, objectAt, textAt } from "../../model/json.ts";
import { selectMetadata } from "../../model/metadata.ts";
import { isSecretKey, redactText } from "./redact-text.ts";

/** What stands in a secret's place: a string that is not empty, so that what only looks whether there is one is not misled. */
const REDACTED = "REDACTED";

const LAST_APPLIED_ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * The object without what looks like a secret, and without managedFields and the last applied configuration, which repeat the rest.
 * Only strings are replaced: keys, numbers, flags, names and the shape stay. A schema is what objects are judged by, and stays whole.
 */
export function redact(object: JsonObject): JsonObject {
  const kept = dropCopies(object);
  return object["kind"] === "CustomResourceDefinition" ? kept : redactObject(kept);
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;

/** Of an object whose metadata alone was asked for, such as a Secret's: no annotation stays but those that are times. */
export function redactMetadata(object: JsonObject): JsonObject {
  const metadataObject = selectMetadata(object);
  const annotations = Object.entries(objectAt(metadataObject, "metadata", "annotations")).map(([key, value]) => [
    key,
    typeof value === "string" && TIMESTAMP.test(value) ? value : REDACTED,
  ]);
  return redact({
    ...metadataObject,
    metadata: { ...objectAt(metadataObject, "metadata"), annotations: Object.fromEntries(annotations) },
  });
}

function dropCopies(object: JsonObject): JsonObject {
  const metadata = object["metadata"];
  if (!isObject(metadata)) return object;
  const { managedFields: _fields, ...kept } = metadata;
  const annotations = kept["annotations"];
  if (!isObject(annotations)) return { ...object, metadata: kept };
  const { [LAST_APPLIED_ANNOTATION]: _applied, ...rest } = annotations;
  return { ...object, metadata: { ...kept, annotations: rest } };
}

function redactObject(object: JsonObject): JsonObject {
  const entries: [string, Json][] = Object.entries(object).map(([key, value]) => [key, redactValue(key, value)]);
  return redactNamedValue(Object.fromEntries(entries));
}

function redactValue(key: string, value: Json): Json {
  if (isList(value)) return value.map((item) => redactValue(key, item));
  if (isObject(value)) return redactObject(value);
  if (typeof value !== "string" || value === "") return value;
  return isSecretKey(key) ? REDACTED : redactText(value);
}

/** Of `{ name: DB_PASSWORD, value: ... }`, as environment variables are written, the name says what the value is. */
function redactNamedValue(object: JsonObject): JsonObject {
  const [name, value] = [textAt(object, "name"), textAt(object, "value")];
  return name && value && isSecretKey(name) ? { ...object, value: REDACTED } : object;
}
