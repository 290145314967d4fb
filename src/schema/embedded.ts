import type { Json, JsonObject } from "../model/json.ts";
import { type FieldError, invalid, metadataErrors } from "./embedded-metadata.ts";
import { isLetterLabel } from "./format-names.ts";
import { shown } from "./words.ts";

/** What is wrong with the apiVersion, kind and metadata of an embedded resource. */
export function embeddedErrors(resource: JsonObject): readonly FieldError[] {
  return [
    ...apiVersionErrors(own(resource, "apiVersion")),
    ...kindErrors(own(resource, "kind")),
    ...metadataErrors(own(resource, "metadata")),
  ];
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function textErrors(field: string, value: Json | undefined): readonly FieldError[] {
  if (value === undefined)
    return [
      { field: [field], type: "FieldValueRequired", message: `An embedded resource must have a value for ${field}` },
    ];
  if (typeof value !== "string") return [invalid([field], "The value must be a string")];
  return value === "" ? [invalid([field], "The value must not be empty")] : [];
}

function apiVersionErrors(value: Json | undefined): readonly FieldError[] {
  const isWrong = typeof value === "string" && value !== "/" && value.split("/").length > 2;
  return isWrong
    ? [invalid(["apiVersion"], `The value ${shown(value)} has more than one slash`)]
    : textErrors("apiVersion", value);
}

function kindErrors(value: Json | undefined): readonly FieldError[] {
  const isWrong = typeof value === "string" && value !== "" && !isLetterLabel(value.toLowerCase());
  return isWrong
    ? [invalid(["kind"], `The kind ${shown(value)} must be a DNS label, in any case`)]
    : textErrors("kind", value);
}
