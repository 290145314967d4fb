import { type Json, type JsonObject, isList, isObject, objectAt } from "../../model/json.ts";
import { REDACTED, isSecretKey } from "../../model/secrets/secret-forms.ts";

/** Fields that people wrote, and that hold values of objects. Objects are validated with the other fields, so these stay. */
const FREE_FIELDS = new Set(["description", "example", "title", "externalDocs", "caBundle", "url"]);

type RedactValue = (value: Json) => Json;

/** Redacts texts of a CRD: its webhook's address, descriptions, examples, and the defaults of fields that are secrets by their names. */
export function redactDefinition(fields: JsonObject, redactValue: RedactValue): JsonObject {
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
