import { type Json, type JsonObject, isObject, listAt, numberAt, objectAt, textAt, textsAt } from "../model/json.ts";
import { bytesOf, isLabelValue, isQualifiedName, isShortName } from "./format-names.ts";
import { normalMetadata } from "./object-meta.ts";
import type { Segment } from "./path.ts";
import type { ErrorType } from "./verdict.ts";
import { shown } from "./words.ts";

/** Something wrong with an embedded resource; `field` leads from it to the field. */
export type FieldError = { readonly field: readonly Segment[]; readonly type: ErrorType; readonly message: string };

export function invalid(field: readonly Segment[], message: string): FieldError {
  return { field, type: "FieldValueInvalid", message };
}

/** Metadata that can't be read at all is told where it is read. */
export function metadataErrors(value: Json | undefined): readonly FieldError[] {
  const normal = value === undefined ? undefined : normalMetadata(value);
  if (normal?.kind !== "normal") return [];
  const { metadata } = normal;
  return [
    ...nameErrors(metadata),
    ...labelErrors(objectAt(metadata, "labels")),
    ...annotationErrors(objectAt(metadata, "annotations")),
    ...ownerErrors(listAt(metadata, "ownerReferences")),
    ...finalizerErrors(textsAt(metadata, "finalizers")),
    ...managedErrors(listAt(metadata, "managedFields")),
  ];
}

function nameErrors(metadata: JsonObject): readonly FieldError[] {
  const found: FieldError[] = [];
  const [name, generateName, namespace] = [
    textAt(metadata, "name"),
    textAt(metadata, "generateName"),
    textAt(metadata, "namespace"),
  ];
  if (name === "." || name === "..") found.push(invalid(["metadata", "name"], `The name must not be ${shown(name)}`));
  for (const [field, text] of [
    ["name", name],
    ["generateName", generateName],
  ] as const) {
    if (/[/%]/.test(text ?? ""))
      found.push(invalid(["metadata", field], "The name must not contain a slash or a percent sign"));
  }
  if (namespace !== undefined && !isShortName(namespace)) {
    found.push(
      invalid(["metadata", "namespace"], `The namespace ${shown(namespace)} must be a DNS label in lower case`),
    );
  }
  if ((numberAt(metadata, "generation") ?? 0) < 0)
    found.push(invalid(["metadata", "generation"], "The generation must not be negative"));
  return found;
}

function labelErrors(labels: JsonObject): readonly FieldError[] {
  const field = ["metadata", "labels"];
  return Object.entries(labels).flatMap(([key, value]) => [
    ...(isQualifiedName(key) ? [] : [invalid(field, `The key ${shown(key)} is not one that a label can have`)]),
    ...(typeof value === "string" && isLabelValue(value)
      ? []
      : [invalid(field, `The value ${shown(value)} is not one that a label can have`)]),
  ]);
}

const MOST_ANNOTATION_BYTES = 256 * 1024;

function annotationErrors(annotations: JsonObject): readonly FieldError[] {
  const field = ["metadata", "annotations"];
  const found = Object.keys(annotations)
    .filter((key) => !isQualifiedName(key.toLowerCase()))
    .map((key) => invalid(field, `The key ${shown(key)} is not one that an annotation can have`));
  const texts = Object.entries(annotations).flatMap(([key, value]) =>
    typeof value === "string" ? [key, value] : [key],
  );
  const bytes = texts.reduce((sum, text) => sum + bytesOf(text), 0);
  if (bytes <= MOST_ANNOTATION_BYTES) return found;
  return [
    ...found,
    {
      field,
      type: "FieldValueTooLong",
      message: `The annotations are longer than ${MOST_ANNOTATION_BYTES} bytes together`,
    },
  ];
}

function ownerErrors(owners: readonly Json[]): readonly FieldError[] {
  const field = ["metadata", "ownerReferences"];
  const found = owners.flatMap((owner) => oneOwnerErrors(owner, field));
  const controllers = owners.filter((owner) => isObject(owner) && owner["controller"] === true);
  return controllers.length > 1 ? [...found, invalid(field, "Only one owner can be the controller")] : found;
}

function oneOwnerErrors(owner: Json, field: readonly string[]): readonly FieldError[] {
  const parts = (textAt(owner, "apiVersion") ?? "").split("/");
  // An apiVersion with several slashes has no version for the API server.
  const version = parts.length > 2 ? "" : (parts.at(-1) ?? "");
  const found = version === "" ? [invalid([...field, "apiVersion"], "The version must not be empty")] : [];
  for (const name of ["kind", "name", "uid"]) {
    if (textAt(owner, name) === "") found.push(invalid([...field, name], "The value must not be empty"));
  }
  const isEvent = version === "v1" && (parts.length === 1 || parts[0] === "") && textAt(owner, "kind") === "Event";
  return isEvent ? [...found, invalid(field, "An Event can't be an owner")] : found;
}

function finalizerErrors(finalizers: readonly string[]): readonly FieldError[] {
  const field = ["metadata", "finalizers"];
  const found = finalizers
    .filter((finalizer) => !isQualifiedName(finalizer))
    .map((finalizer) =>
      invalid(field, `The finalizer ${shown(finalizer)} must be a name, or a domain, a slash and a name`),
    );
  const both = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  return both ? [...found, invalid(field, "The finalizers orphan and foregroundDeletion exclude each other")] : found;
}

const MOST_MANAGER_BYTES = 128;
const MOST_SUBRESOURCE_BYTES = 256;

function managedErrors(entries: readonly Json[]): readonly FieldError[] {
  return entries.flatMap((entry, i) => {
    const field = ["metadata", "managedFields", i];
    const operation = textAt(entry, "operation");
    const found: FieldError[] = [];
    if (operation !== "Apply" && operation !== "Update")
      found.push(invalid([...field, "operation"], "The operation must be Apply or Update"));
    if ((textAt(entry, "fieldsType") ?? "FieldsV1") !== "FieldsV1")
      found.push(invalid([...field, "fieldsType"], "The type must be FieldsV1"));
    for (const [name, most] of [
      ["manager", MOST_MANAGER_BYTES],
      ["subresource", MOST_SUBRESOURCE_BYTES],
    ] as const) {
      if (bytesOf(textAt(entry, name) ?? "") <= most) continue;
      found.push({ field: [...field, name], type: "FieldValueTooLong", message: `At most ${most} bytes are allowed` });
    }
    return found;
  });
}
