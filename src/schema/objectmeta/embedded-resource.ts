import {
  type Json,
  type JsonObject,
  at,
  isObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
  textsAt,
} from "../../model/json.ts";
import { countBytes, isDns1035Label, isDns1123Label, isLabelValue, isQualifiedName } from "../formats/names.ts";
import { coerceObjectMeta } from "./coercion.ts";
import type { PathSegment } from "../structural/field-path.ts";
import type { ErrorType } from "../structural/field-errors.ts";
import { formatValue } from "../structural/value-text.ts";

/** A fault of an embedded resource; `field` is the path within it. */
type EmbeddedResourceError = {
  readonly field: readonly PathSegment[];
  readonly type: ErrorType;
  readonly message: string;
};

function invalid(field: readonly PathSegment[], message: string): EmbeddedResourceError {
  return { field, type: "FieldValueInvalid", message };
}

/** What is wrong with the apiVersion, kind and metadata of an embedded resource. */
export function validateEmbeddedResource(resource: JsonObject): readonly EmbeddedResourceError[] {
  return [
    ...validateApiVersion(at(resource, "apiVersion")),
    ...validateKind(at(resource, "kind")),
    ...validateObjectMeta(at(resource, "metadata")),
  ];
}

function validateText(field: string, value: Json | undefined): readonly EmbeddedResourceError[] {
  if (value === undefined)
    return [
      { field: [field], type: "FieldValueRequired", message: `An embedded resource must have a value for ${field}` },
    ];
  if (typeof value !== "string") return [invalid([field], "The value must be a string")];
  return value === "" ? [invalid([field], "The value must not be empty")] : [];
}

function validateApiVersion(value: Json | undefined): readonly EmbeddedResourceError[] {
  const isWrong = typeof value === "string" && value !== "/" && value.split("/").length > 2;
  return isWrong
    ? [invalid(["apiVersion"], `The value ${formatValue(value)} has more than one slash`)]
    : validateText("apiVersion", value);
}

function validateKind(value: Json | undefined): readonly EmbeddedResourceError[] {
  const isWrong = typeof value === "string" && value !== "" && !isDns1035Label(value.toLowerCase());
  return isWrong
    ? [invalid(["kind"], `The kind ${formatValue(value)} must be a DNS label, in any case`)]
    : validateText("kind", value);
}

/** Metadata that can't be decoded is reported by the decoder. */
export function validateObjectMeta(value: Json | undefined): readonly EmbeddedResourceError[] {
  const coerced = value === undefined ? undefined : coerceObjectMeta(value);
  if (coerced?.kind !== "normal") return [];
  const { metadata } = coerced;
  return [
    ...validateNames(metadata),
    ...validateLabels(objectAt(metadata, "labels")),
    ...validateAnnotations(objectAt(metadata, "annotations")),
    ...validateOwnerReferences(listAt(metadata, "ownerReferences")),
    ...validateFinalizers(textsAt(metadata, "finalizers")),
    ...validateManagedFields(listAt(metadata, "managedFields")),
  ];
}

function validateNames(metadata: JsonObject): readonly EmbeddedResourceError[] {
  const errors: EmbeddedResourceError[] = [];
  const [name, namespace] = [textAt(metadata, "name"), textAt(metadata, "namespace")];
  if (name === "." || name === "..")
    errors.push(invalid(["metadata", "name"], `The name must not be ${formatValue(name)}`));
  for (const field of ["name", "generateName"]) {
    if (/[/%]/.test(textAt(metadata, field) ?? ""))
      errors.push(invalid(["metadata", field], "The name must not contain a slash or a percent sign"));
  }
  if (namespace !== undefined && !isDns1123Label(namespace)) {
    errors.push(
      invalid(["metadata", "namespace"], `The namespace ${formatValue(namespace)} must be a DNS label in lower case`),
    );
  }
  if ((numberAt(metadata, "generation") ?? 0) < 0)
    errors.push(invalid(["metadata", "generation"], "The generation must not be negative"));
  return errors;
}

function validateLabels(labels: JsonObject): readonly EmbeddedResourceError[] {
  const field = ["metadata", "labels"];
  return Object.entries(labels).flatMap(([key, value]) => [
    ...(isQualifiedName(key) ? [] : [invalid(field, `The key ${formatValue(key)} is not one that a label can have`)]),
    ...(typeof value === "string" && isLabelValue(value)
      ? []
      : [invalid(field, `The value ${formatValue(value)} is not one that a label can have`)]),
  ]);
}

const MAX_ANNOTATION_BYTES = 256 * 1024;

function validateAnnotations(annotations: JsonObject): readonly EmbeddedResourceError[] {
  const field = ["metadata", "annotations"];
  const errors = Object.keys(annotations)
    .filter((key) => !isQualifiedName(key.toLowerCase()))
    .map((key) => invalid(field, `The key ${formatValue(key)} is not one that an annotation can have`));
  const texts = Object.entries(annotations)
    .flat()
    .filter((text) => typeof text === "string");
  const bytes = texts.reduce((sum, text) => sum + countBytes(text), 0);
  if (bytes <= MAX_ANNOTATION_BYTES) return errors;
  const message = `The annotations are longer than ${MAX_ANNOTATION_BYTES} bytes together`;
  return [...errors, { field, type: "FieldValueTooLong", message }];
}

function validateOwnerReferences(owners: readonly Json[]): readonly EmbeddedResourceError[] {
  const field = ["metadata", "ownerReferences"];
  const errors = owners.flatMap((owner) => validateOwnerReference(owner, field));
  const controllers = owners.filter((owner) => isObject(owner) && owner["controller"] === true);
  return controllers.length > 1 ? [...errors, invalid(field, "Only one owner can be the controller")] : errors;
}

function validateOwnerReference(owner: Json, field: readonly string[]): readonly EmbeddedResourceError[] {
  const parts = (textAt(owner, "apiVersion") ?? "").split("/");
  // The API server finds no version in an apiVersion with several slashes.
  const version = parts.length > 2 ? "" : (parts.at(-1) ?? "");
  const errors = version === "" ? [invalid([...field, "apiVersion"], "The version must not be empty")] : [];
  for (const name of ["kind", "name", "uid"]) {
    if (textAt(owner, name) === "") errors.push(invalid([...field, name], "The value must not be empty"));
  }
  const isEvent = version === "v1" && (parts.length === 1 || parts[0] === "") && textAt(owner, "kind") === "Event";
  return isEvent ? [...errors, invalid(field, "An Event can't be an owner")] : errors;
}

function validateFinalizers(finalizers: readonly string[]): readonly EmbeddedResourceError[] {
  const field = ["metadata", "finalizers"];
  const errors = finalizers
    .filter((finalizer) => !isQualifiedName(finalizer))
    .map((finalizer) =>
      invalid(field, `The finalizer ${formatValue(finalizer)} must be a name, or a domain, a slash and a name`),
    );
  const both = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  return both ? [...errors, invalid(field, "The finalizers orphan and foregroundDeletion exclude each other")] : errors;
}

const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;

function validateManagedFields(entries: readonly Json[]): readonly EmbeddedResourceError[] {
  return entries.flatMap((entry, i) => {
    const field = ["metadata", "managedFields", i];
    const operation = textAt(entry, "operation");
    const errors: EmbeddedResourceError[] = [];
    if (operation !== "Apply" && operation !== "Update")
      errors.push(invalid([...field, "operation"], "The operation must be Apply or Update"));
    if ((textAt(entry, "fieldsType") ?? "FieldsV1") !== "FieldsV1")
      errors.push(invalid([...field, "fieldsType"], "The type must be FieldsV1"));
    for (const [name, most] of [
      ["manager", MAX_MANAGER_BYTES],
      ["subresource", MAX_SUBRESOURCE_BYTES],
    ] as const) {
      if (countBytes(textAt(entry, name) ?? "") <= most) continue;
      errors.push({ field: [...field, name], type: "FieldValueTooLong", message: `At most ${most} bytes are allowed` });
    }
    return errors;
  });
}
