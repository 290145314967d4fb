import { type JsonObject, isObject, listAt, textAt } from "./json.ts";

/** The condition of a type in an object's status, where it has one. */
export function conditionOf(object: JsonObject, type: string): JsonObject | undefined {
  return listAt(object, "status", "conditions")
    .filter(isObject)
    .find((condition) => textAt(condition, "type") === type);
}
