import { type Json, type JsonObject, isList, isObject, objectAt, textAt } from "../../model/json.ts";
import { LAST_APPLIED, selectMetadata } from "../../model/metadata.ts";
import { isSecretKey, redactText } from "./redact-text.ts";

/** Replaces a secret. Not empty, so that a check that only tests for presence is not misled. */
const REDACTED = "REDACTED";

/**
 * Replaces strings that look like secrets, and drops managedFields and the last applied configuration, which repeat the rest. Keys,
 * numbers, flags, names and the structure stay. CRDs stay whole, since checks need their schemas.
 */
export function redact(object: JsonObject): JsonObject {
  const kept = dropCopies(object);
  return object["kind"] === "CustomResourceDefinition" ? kept : redactObject(kept);
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;

/** For metadata-only reads, such as those of Secrets: keeps annotations that hold a time, and the versions that an object was written in. */
export function redactMetadata(object: JsonObject): JsonObject {
  const metadataObject = selectMetadata(object);
  const annotations = Object.entries(objectAt(metadataObject, "metadata", "annotations")).map(([key, value]) => [
    key,
    key === LAST_APPLIED || (typeof value === "string" && TIMESTAMP.test(value)) ? value : REDACTED,
  ]);
  return redactObject({
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
  const { [LAST_APPLIED]: _applied, ...rest } = annotations;
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

/** Environment variables have the form `{ name: DB_PASSWORD, value: ... }`: the name shows whether the value is a secret. */
function redactNamedValue(object: JsonObject): JsonObject {
  const [name, value] = [textAt(object, "name"), textAt(object, "value")];
  return name && value && isSecretKey(name) ? { ...object, value: REDACTED } : object;
}
