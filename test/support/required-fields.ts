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
import { LONG_AGO } from "./server-fields.ts";

/** Adds the missing fields that the schema requires, each with the smallest value that it accepts. */
export function addRequiredFields(schema: JsonObject, value: Json): Json {
  if (isList(value)) return value.map((item) => addRequiredFields(objectAt(schema, "items"), item));
  if (!isObject(value)) return value;
  const properties = objectAt(schema, "properties");
  const others = objectAt(schema, "additionalProperties");
  const present = Object.entries(value).map(([key, item]) => {
    const of = key in properties ? objectAt(properties, key) : others;
    return [key, addRequiredFields(of, item)] as const;
  });
  const missing = textsAt(schema, "required").filter((key) => !(key in value));
  const added = missing.map((key) => [key, buildMinimum(objectAt(properties, key))] as const);
  return Object.fromEntries([...present, ...added]);
}

function buildMinimum(schema: JsonObject): Json {
  if (schema["default"] !== undefined) return schema["default"];
  if (schema["nullable"] === true) return null;
  const [first] = listAt(schema, "enum");
  if (first !== undefined) return first;
  switch (textAt(schema, "type") ?? "") {
    case "object":
      return addRequiredFields(schema, {});
    case "array":
      return Array.from({ length: numberAt(schema, "minItems") ?? 0 }, () => buildMinimum(objectAt(schema, "items")));
    case "boolean":
      return false;
    case "integer":
    case "number":
      return numberAt(schema, "minimum") ?? 0;
    default:
      return textAt(schema, "format") === "date-time" ? LONG_AGO : "x".repeat(numberAt(schema, "minLength") ?? 0);
  }
}
