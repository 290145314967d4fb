import { type Json, type JsonObject, at } from "../../model/json.ts";
import { type EmbeddedResourceError, invalid, validateObjectMeta } from "./object-meta-validation.ts";
import { isDns1035Label } from "../formats/names.ts";
import { formatValue } from "../structural/value-text.ts";

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
