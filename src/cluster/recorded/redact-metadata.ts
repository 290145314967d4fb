import { redactForms } from "../../model/secrets/redact-text.ts";
import { type Json, type JsonObject, isList, isObject, objectAt, parseObject, textAt } from "../../model/json.ts";
import { LAST_APPLIED } from "../../model/object.ts";
import { OWNER_ANNOTATIONS } from "../../model/owner.ts";
import { redactContent } from "./redact-content.ts";

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
export type AnnotationRules = {
  readonly kept: readonly string[];
  readonly redactText: (text: string) => string;
};

/** Selects the fields of an object's own metadata that tell it apart, and redacts its annotations. */
export function selectMetadataFields(metadata: JsonObject, rules: AnnotationRules): JsonObject {
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
export function redactKey(key: string): string {
  return key.includes("@") ? redactContent(key) : key;
}

/** The keys of annotations stay. */
export function redactAnnotations(annotations: JsonObject, rules: AnnotationRules): JsonObject {
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
