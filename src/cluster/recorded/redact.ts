import type { NeededField } from "../../model/needed-fields.ts";
import { type Json, type JsonObject, isList, isObject, objectAt, textAt } from "../../model/json.ts";
import { SIGNATURES_NAMESPACE, isSignatureKey } from "../../model/release.ts";
import { REDACTED } from "../../model/secrets/secret-forms.ts";
import { enterField, HIDDEN_SCOPE, isHidden, isOptionValue, OPEN_SCOPE, type FieldScope } from "./field-scope.ts";
import { selectKeptFields } from "./kept-fields.ts";
import { redactOpaqueFields } from "./opaque-fields.ts";
import { redactContent } from "./redact-content.ts";
import { redactDefinition } from "./redact-definition.ts";
import { type AnnotationRules, redactAnnotations, redactKey, selectMetadataFields } from "./redact-metadata.ts";

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
