import { redactForms } from "../../model/secrets/redact-text.ts";
import { type Json, type JsonObject, isList, isObject, parseObject, textAt } from "../../model/json.ts";
import { LAST_APPLIED } from "../../model/metadata.ts";

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

/** Annotations whose values checks read; one that ends with a slash or a dash stands for all of its group. */
const KEPT_ANNOTATIONS = [
  "api-approved.kubernetes.io",
  "auth.openshift.io/certificate-",
  "capability.openshift.io/",
  "capacity.cluster-autoscaler.kubernetes.io/",
  "cloudcredential.openshift.io/upgradeable-to",
  "endpoints.kubernetes.io/last-change-trigger-time",
  "exclude.release.openshift.io/",
  "gateway.networking.k8s.io/",
  "include.release.openshift.io/",
  "k8s.ovn.org/multicast-enabled",
  "machineconfiguration.openshift.io/",
  "olm.operatorNamespace",
  "olm.properties",
  "openshift.io/required-scc",
  "openshift.io/scc",
  "operator.openshift.io/bootstrap-user-exists",
  "operatorframework.io/properties",
  "release.openshift.io/",
];

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;

type RedactText = (text: string) => string;

/** Selects the fields of an object's own metadata that tell it apart, and redacts its annotations. */
export function selectMetadataFields(metadata: JsonObject, redactText: RedactText): JsonObject {
  const kept = KEPT_FIELDS.flatMap((field) => entryOf(field, metadata[field])).map(
    ([key, value]): readonly [string, Json] => [key, selectField(key, value)],
  );
  const annotations = metadata["annotations"];
  return Object.fromEntries(
    isObject(annotations) ? [...kept, ["annotations", redactAnnotations(annotations, redactText)]] : kept,
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

/** Which fields somebody wrote is left out: the items of sets and the keys of lists are values. */
function selectWriters(managedFields: Json): Json {
  if (!isList(managedFields)) return [];
  return managedFields.filter(isObject).map((writer) => ({
    ...Object.fromEntries(WRITER_FIELDS.flatMap((field) => entryOf(field, writer[field]))),
    fieldsV1: {},
  }));
}

/** Replaces the values of annotations that no check reads; their keys stay. */
export function redactAnnotations(annotations: JsonObject, redactText: RedactText): JsonObject {
  return Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [key, redactAnnotation(key, value, redactText)]),
  );
}

function entryOf(key: string, value: Json | undefined): readonly (readonly [string, Json])[] {
  return value === undefined ? [] : [[key, value]];
}

function redactAnnotation(key: string, value: Json, redactText: RedactText): Json {
  if (typeof value !== "string" || value === "") return value;
  if (key === LAST_APPLIED) return selectAppliedType(value);
  if (isKept(key)) return redactText(value);
  return TIMESTAMP.test(value) ? value : "REDACTED";
}

function isKept(key: string): boolean {
  return KEPT_ANNOTATIONS.some((kept) => (/[/-]$/.test(kept) ? key.startsWith(kept) : key === kept));
}

/** The annotation repeats the whole object. Which API version somebody applied shows that it is in use. */
function selectAppliedType(text: string): string {
  const applied = parseObject(text);
  const [apiVersion, kind] = [textAt(applied, "apiVersion"), textAt(applied, "kind")];
  return JSON.stringify(Object.fromEntries([...entryOf("apiVersion", apiVersion), ...entryOf("kind", kind)]));
}
