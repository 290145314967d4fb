import type { Json, JsonObject } from "../../../model/json.ts";
import { at, isObject, listAt, numberAt, objectAt, textAt, textsAt } from "../../../model/json.ts";
import type { PathSegment, FieldError } from "../../openapi/index.ts";
import {
  countBytes,
  isDns1035Label,
  isDns1123Label,
  isLabelValue,
  isQualifiedName,
  coerceObjectMeta,
  formatValue,
} from "../../openapi/index.ts";

/** A fault of an embedded resource; `field` is the path within it. */
type EmbeddedResourceError = Pick<FieldError, "type" | "message" | "isUnreadable"> & {
  readonly field: readonly PathSegment[];
};

function invalid(field: readonly PathSegment[], message: string): EmbeddedResourceError {
  return { field, type: "FieldValueInvalid", message };
}

/** What is wrong with the apiVersion, kind and metadata of an embedded resource. */
export function* validateEmbeddedResource(resource: JsonObject): Generator<EmbeddedResourceError> {
  const apiVersion = at(resource, "apiVersion");
  const kind = at(resource, "kind");
  yield* validateText("apiVersion", apiVersion);
  if (typeof apiVersion === "string" && apiVersion !== "/" && apiVersion.split("/").length > 2)
    yield invalid(["apiVersion"], `The value ${formatValue(apiVersion)} has more than one slash`);
  yield* validateText("kind", kind);
  if (typeof kind === "string" && kind !== "" && !isDns1035Label(kind.toLowerCase()))
    yield invalid(["kind"], `The kind ${formatValue(kind)} must be a DNS label, in any case`);
  const metadata = at(resource, "metadata") ?? {};
  if (isObject(metadata)) yield* validateObjectMeta(metadata);
  else yield { ...invalid(["metadata"], "The metadata of an embedded resource must be an object"), isUnreadable: true };
}

/** The decoder drops what is not a string. */
function* validateText(field: string, value: Json | undefined): Generator<EmbeddedResourceError> {
  const message = `An embedded resource must have a value for ${field}`;
  if (typeof value !== "string") yield { field: [field], type: "FieldValueRequired", message };
  else if (value === "") yield invalid([field], "The value must not be empty");
}

/** Metadata that can't be decoded is reported by the decoder. */
export function* validateObjectMeta(value: Json | undefined): Generator<EmbeddedResourceError> {
  const coerced = value === undefined ? undefined : coerceObjectMeta(value);
  if (coerced?.kind !== "normal") return;
  const { metadata } = coerced;
  yield* validateNames(metadata);
  yield* validateLabels(objectAt(metadata, "labels"));
  yield* validateAnnotations(objectAt(metadata, "annotations"));
  yield* validateOwnerReferences(listAt(metadata, "ownerReferences"));
  yield* validateFinalizers(textsAt(metadata, "finalizers"));
  yield* validateManagedFields(listAt(metadata, "managedFields"));
}

function* validateNames(metadata: JsonObject): Generator<EmbeddedResourceError> {
  const name = textAt(metadata, "name");
  const namespace = textAt(metadata, "namespace");
  if (name === "." || name === "..") yield invalid(["metadata", "name"], `The name must not be ${formatValue(name)}`);
  for (const field of ["name", "generateName"]) {
    if (/[/%]/.test(textAt(metadata, field) ?? ""))
      yield invalid(["metadata", field], "The name must not contain a slash or a percent sign");
  }
  if (namespace !== undefined && !isDns1123Label(namespace)) {
    const message = `The namespace ${formatValue(namespace)} must be a DNS label in lower case`;
    yield invalid(["metadata", "namespace"], message);
  }
  if ((numberAt(metadata, "generation") ?? 0) < 0)
    yield invalid(["metadata", "generation"], "The generation must not be negative");
}

function* validateLabels(labels: JsonObject): Generator<EmbeddedResourceError> {
  const field = ["metadata", "labels"];
  for (const [key, value] of Object.entries(labels)) {
    if (!isQualifiedName(key)) yield invalid(field, `The key ${formatValue(key)} is not one that a label can have`);
    if (typeof value !== "string" || !isLabelValue(value))
      yield invalid(field, `The value ${formatValue(value)} is not one that a label can have`);
  }
}

const MAX_ANNOTATION_BYTES = 256 * 1024;

function* validateAnnotations(annotations: JsonObject): Generator<EmbeddedResourceError> {
  const field = ["metadata", "annotations"];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    bytes += countBytes(key) + countBytes(typeof value === "string" ? value : "");
    if (!isQualifiedName(key.toLowerCase()))
      yield invalid(field, `The key ${formatValue(key)} is not one that an annotation can have`);
  }
  if (bytes <= MAX_ANNOTATION_BYTES) return;
  const message = `The annotations are longer than ${MAX_ANNOTATION_BYTES} bytes together`;
  yield { field, type: "FieldValueTooLong", message };
}

function* validateOwnerReferences(owners: readonly Json[]): Generator<EmbeddedResourceError> {
  const field = ["metadata", "ownerReferences"];
  for (const owner of owners) yield* validateOwnerReference(owner, field);
  const controllers = owners.filter((owner) => isObject(owner) && owner["controller"] === true);
  if (controllers.length > 1) yield invalid(field, "Only one owner can be the controller");
}

function* validateOwnerReference(owner: Json, field: readonly string[]): Generator<EmbeddedResourceError> {
  const parts = (textAt(owner, "apiVersion") ?? "").split("/");
  // The API server finds no version in an apiVersion with several slashes.
  const version = parts.length > 2 ? "" : (parts.at(-1) ?? "");
  if (version === "") yield invalid([...field, "apiVersion"], "The version must not be empty");
  for (const name of ["kind", "name", "uid"]) {
    if (textAt(owner, name) === "") yield invalid([...field, name], "The value must not be empty");
  }
  const isCore = version === "v1" && (parts.length === 1 || parts[0] === "");
  if (isCore && textAt(owner, "kind") === "Event") yield invalid(field, "An Event can't be an owner");
}

function* validateFinalizers(finalizers: readonly string[]): Generator<EmbeddedResourceError> {
  const field = ["metadata", "finalizers"];
  for (const finalizer of finalizers) {
    if (!isQualifiedName(finalizer))
      yield invalid(field, `The finalizer ${formatValue(finalizer)} must be a name, or a domain, a slash and a name`);
  }
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion"))
    yield invalid(field, "The finalizers orphan and foregroundDeletion exclude each other");
}

const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;

function* validateManagedFields(entries: readonly Json[]): Generator<EmbeddedResourceError> {
  for (const [i, entry] of entries.entries()) {
    const field = ["metadata", "managedFields", i];
    const operation = textAt(entry, "operation");
    if (operation !== "Apply" && operation !== "Update")
      yield invalid([...field, "operation"], "The operation must be Apply or Update");
    if ((textAt(entry, "fieldsType") ?? "FieldsV1") !== "FieldsV1")
      yield invalid([...field, "fieldsType"], "The type must be FieldsV1");
    for (const [name, most] of [
      ["manager", MAX_MANAGER_BYTES],
      ["subresource", MAX_SUBRESOURCE_BYTES],
    ] as const) {
      if (countBytes(textAt(entry, name) ?? "") <= most) continue;
      yield { field: [...field, name], type: "FieldValueTooLong", message: `At most ${most} bytes are allowed` };
    }
  }
}
