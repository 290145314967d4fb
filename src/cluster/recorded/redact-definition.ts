import { type Json, type JsonObject, isList, isObject } from "../../model/json.ts";
import { REDACTED } from "../../model/secrets/secret-forms.ts";
import { isSecretKey } from "../../model/secrets/secret-names.ts";

/** Fields that people wrote, and that hold values of objects. Objects are validated with the other fields, so these stay. */
const FREE_FIELDS = new Set(["description", "example", "title", "externalDocs", "default", "caBundle", "url"]);

type RedactValue = (value: Json) => Json;

/** Redacts texts of a CRD: its webhook's address, descriptions, examples, and the defaults of fields that are secrets by their names. */
export function redactDefinition(fields: JsonObject, redactValue: RedactValue): JsonObject {
  return mapEntries(fields, (key, value) => {
    if (FREE_FIELDS.has(key)) return redactValue(value);
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
    const isSecret = isSecretKey(name) && typeof value === "string" && value !== "";
    return isSecret ? { ...redacted, default: REDACTED } : redacted;
  });
}

function mapEntries(object: JsonObject, change: (key: string, value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]));
}
