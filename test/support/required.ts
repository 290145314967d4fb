import {
  type Json,
  type JsonObject,
  isList,
  isObject,
  objectAt,
  textAt,
  textsAt,
  numberAt,
  listAt,
} from "../../src/model/json.ts";
import { LONG_AGO } from "./stamp.ts";

/** A value with the fields that its schema requires and that it lacks, at the least that the schema takes. */
export function withRequired(schema: JsonObject, value: Json): Json {
  if (isList(value)) return value.map((item) => withRequired(objectAt(schema, "items"), item));
  if (!isObject(value)) return value;
  const properties = objectAt(schema, "properties");
  const others = objectAt(schema, "additionalProperties");
  const known = Object.entries(value).map(([key, item]) => {
    const of = key in properties ? objectAt(properties, key) : others;
    return [key, withRequired(of, item)] as const;
  });
  const missing = textsAt(schema, "required").filter((key) => !(key in value));
  const filled = missing.map((key) => [key, least(objectAt(properties, key))] as const);
  return Object.fromEntries([...known, ...filled]);
}

function least(schema: JsonObject): Json {
  if (schema["default"] !== undefined) return schema["default"];
  if (schema["nullable"] === true) return null;
  const [first] = listAt(schema, "enum");
  if (first !== undefined) return first;
  switch (textAt(schema, "type") ?? "") {
    case "object":
      return withRequired(schema, {});
    case "array":
      return Array.from({ length: numberAt(schema, "minItems") ?? 0 }, () => least(objectAt(schema, "items")));
    case "boolean":
      return false;
    case "integer":
    case "number":
      return numberAt(schema, "minimum") ?? 0;
    default:
      return textAt(schema, "format") === "date-time" ? LONG_AGO : "x".repeat(numberAt(schema, "minLength") ?? 0);
  }
}
