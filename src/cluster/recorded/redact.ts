import { type Json, type JsonObject, isList, isObject, objectAt, parseObject, textAt } from "../../model/json.ts";
import type { NeededField } from "../../model/needed-fields.ts";
import { LAST_APPLIED } from "../../model/object.ts";
import { OWNER_ANNOTATIONS } from "../../model/owner.ts";
import { SIGNATURES_NAMESPACE, isSignatureKey } from "../../model/release.ts";
import { redactForms } from "../../model/secrets/redact-text.ts";
import { REDACTED, isSecretKey } from "../../model/secrets/secret-forms.ts";
import { type FieldScope, HIDDEN_SCOPE, OPEN_SCOPE, enterField, isHidden, isOptionValue } from "./field-scope.ts";
import { selectKeptFields } from "./kept-fields.ts";
import { redactOpaqueFields } from "./opaque-fields.ts";
import { redactContent } from "./redact-content.ts";

/** A flag is no secret, whatever its name: an acknowledgement may be called "ack-5.0-token". */
const NO_SECRET = /^(?:true|false|)$/;

/**
 * Selects the fields that checks read and replaces strings that may be secrets: by the keys above them, and by what they look like. Keys,
 * numbers, flags, names and the structure stay, and so do the rules of a CRD's schemas. Of annotations, the values of `kept` stay.
 */
export function redact(object: JsonObject, kept: readonly string[], fields: readonly NeededField[] = []): JsonObject {
  const rules = { kept, redactText: redactContent };
  const { metadata, ...others } = selectKeptFields(redactOpaqueFields(object), fields);
  const redacted =
    object["kind"] === "CustomResourceDefinition"
      ? redactDefinition(others, (value) => redactValue(value, OPEN_SCOPE, rules))
      : { ...redactObject(others, OPEN_SCOPE, rules), ...selectSignatures(object) };
  return isObject(metadata) ? { ...redacted, metadata: selectMetadataFields(metadata, rules) } : redacted;
}

/** Signatures of releases are public, and whoever has the recording verifies them again. */
function selectSignatures(object: JsonObject): JsonObject {
  const binaryData = objectAt(object, "binaryData");
  const keys = Object.keys(binaryData);
  const isPublic = textAt(object, "metadata", "namespace") === SIGNATURES_NAMESPACE && keys.length > 0;
  return isPublic && keys.every((key) => isSignatureKey(key)) ? { binaryData } : {};
}

/** For metadata-only reads, such as those of Secrets. */
export function redactMetadataOnly(object: JsonObject, kept: readonly string[]): JsonObject {
  const { apiVersion = "", kind = "", metadata = {} } = object;
  return redact({ apiVersion, kind, metadata }, kept);
}

function redactObject(object: JsonObject, scope: FieldScope, rules: AnnotationRules): JsonObject {
  const findSibling = (key: string): string | undefined => textAt(object, key);
  return Object.fromEntries(
    Object.entries(object).map(([key, value]): [string, Json] =>
      key === "annotations" && isObject(value)
        ? [key, redactAnnotations(value, rules)]
        : [redactKey(key), redactValue(value, enterField(scope, key, findSibling), rules)],
    ),
  );
}

function redactValue(value: Json, scope: FieldScope, rules: AnnotationRules): Json {
  if (isList(value)) return value.map((item, i) => redactItem(item, value[i - 1], scope, rules));
  if (isObject(value)) return redactObject(value, scope, rules);
  if (typeof value !== "string" || NO_SECRET.test(value)) return value;
  return isHidden(scope) ? REDACTED : redactContent(value);
}

function redactItem(item: Json, before: Json | undefined, scope: FieldScope, rules: AnnotationRules): Json {
  const isSecret = typeof item === "string" && isOptionValue(before, item);
  return redactValue(item, isSecret ? HIDDEN_SCOPE : scope, rules);
}

/** Names, times and the writers of fields; annotations may hold anything. */
const KEPT_FIELDS = [
  "name",
  "generateName",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "labels",
  "ownerReferences",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "finalizers",
  "managedFields",
];

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;

/** What becomes of annotations: only those that name an owner, and those of `kept` (`annotations` of a read), keep their values, redacted as texts. */
type AnnotationRules = {
  readonly kept: readonly string[];
  readonly redactText: (text: string) => string;
};

/** Selects the fields of an object's own metadata that tell it apart, and redacts its annotations. */
function selectMetadataFields(metadata: JsonObject, rules: AnnotationRules): JsonObject {
  const kept = KEPT_FIELDS.flatMap((field) => entryOf(field, metadata[field])).map(
    ([key, value]): readonly [string, Json] => [key, selectField(key, value)],
  );
  const annotations = metadata["annotations"];
  return Object.fromEntries(
    isObject(annotations) ? [...kept, ["annotations", redactAnnotations(annotations, rules)]] : kept,
  );
}

/** Labels are names too, but anybody may take a token for one. */
function selectField(key: string, value: Json): Json {
  if (key === "managedFields") return selectWriters(value);
  if (key !== "labels" || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([label, text]) => [label, typeof text === "string" ? redactForms(text) : text]),
  );
}

/** The fields that the API server itself writes (ManagedFieldsEntry). */
const WRITER_FIELDS = ["manager", "operation", "apiVersion", "time", "fieldsType", "subresource"];

function selectWriters(managedFields: Json): Json {
  if (!isList(managedFields)) return [];
  return managedFields.filter(isObject).map((writer) => ({
    ...Object.fromEntries(WRITER_FIELDS.flatMap((field) => entryOf(field, writer[field]))),
    fieldsV1: selectFieldNames(objectAt(writer, "fieldsV1")),
  }));
}

/** Of what somebody wrote, the names of fields: the items of sets and the keys of lists are values. */
function selectFieldNames(fields: JsonObject): JsonObject {
  const names = Object.entries(fields).filter(([name]) => name.startsWith("f:"));
  return Object.fromEntries(
    names.map(([name, inner]) => [
      redactKey(name),
      WRITTEN_OFTEN.includes(name) ? {} : selectFieldNames(objectAt(inner)),
    ]),
  );
}

/** What is below these decides nothing, and is most of it. */
const WRITTEN_OFTEN = ["f:metadata", "f:status"];

/** Keys are names, but the key of a map may be an address with a password. */
function redactKey(key: string): string {
  return key.includes("@") ? redactContent(key) : key;
}

/** The keys of annotations stay. */
function redactAnnotations(annotations: JsonObject, rules: AnnotationRules): JsonObject {
  return Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [key, redactAnnotation(key, value, rules)]),
  );
}

function entryOf(key: string, value: Json | undefined): readonly (readonly [string, Json])[] {
  return value === undefined ? [] : [[key, value]];
}

function redactAnnotation(key: string, value: Json, { kept, redactText }: AnnotationRules): Json {
  if (typeof value !== "string" || value === "") return value;
  if (key === LAST_APPLIED) return selectAppliedType(value);
  if ([...OWNER_ANNOTATIONS, ...kept].some((one) => (/[/-]$/.test(one) ? key.startsWith(one) : key === one)))
    return redactText(value);
  return TIMESTAMP.test(value) ? value : "REDACTED";
}

/** The annotation repeats the whole object. Which API version somebody applied shows that it is in use. */
function selectAppliedType(text: string): string {
  const applied = parseObject(text);
  const apiVersion = textAt(applied, "apiVersion");
  const kind = textAt(applied, "kind");
  return JSON.stringify(Object.fromEntries([...entryOf("apiVersion", apiVersion), ...entryOf("kind", kind)]));
}

/** Fields that people wrote, and that hold values of objects. Objects are validated with the other fields, so these stay. */
const FREE_FIELDS = new Set(["description", "example", "title", "externalDocs", "caBundle", "url"]);

type RedactValue = (value: Json) => Json;

/** Redacts texts of a CRD: its webhook's address, descriptions, examples, and the defaults of fields that are secrets by their names. */
function redactDefinition(fields: JsonObject, redactValue: RedactValue): JsonObject {
  return mapEntries(fields, (key, value) => {
    if (FREE_FIELDS.has(key)) return redactValue(value);
    if (key === "default") return redactDefault(value, fields, redactValue);
    if (isList(value)) return value.map((item) => (isObject(item) ? redactDefinition(item, redactValue) : item));
    if (!isObject(value)) return value;
    return key === "properties" ? redactProperties(value, redactValue) : redactDefinition(value, redactValue);
  });
}

/** A property may be called like a field of a schema. */
function redactProperties(properties: JsonObject, redactValue: RedactValue): JsonObject {
  return mapEntries(properties, (name, schema) => {
    if (!isObject(schema)) return schema;
    const redacted = redactDefinition(schema, redactValue);
    const value = redacted["default"];
    return value === undefined ? redacted : { ...redacted, default: redactNamed(name, value, schema) };
  });
}

function redactDefault(value: Json, schema: JsonObject, redactValue: RedactValue): Json {
  if (isList(value)) return value.map((item) => redactDefault(item, objectAt(schema, "items"), redactValue));
  if (!isObject(value)) return schema["enum"] === undefined ? redactValue(value) : value;
  return mapEntries(value, (name, inner) => {
    const property = objectAt(schema, "properties", name);
    return redactNamed(name, redactDefault(inner, property, redactValue), property);
  });
}

/** One of a few values that everybody knows is no secret, whatever its field is called. */
function redactNamed(name: string, value: Json, schema: JsonObject): Json {
  if (typeof value !== "string" || value === "" || schema["enum"] !== undefined) return value;
  return isSecretKey(name) ? REDACTED : value;
}

function mapEntries(object: JsonObject, change: (key: string, value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]));
}
