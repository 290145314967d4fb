import { at, isObject, type Json, type JsonObject, listAt, textAt } from "./json.ts";

/** The condition of a type in an object's status. */
export function findCondition(object: JsonObject, type: string): JsonObject | undefined {
  return findConditionIn(at(object, "status"), type);
}

/** The condition of a type in a value that has `conditions` itself, such as a status or a part of one. */
export function findConditionIn(value: Json | undefined, type: string): JsonObject | undefined {
  return listAt(value, "conditions")
    .filter(isObject)
    .find((condition) => textAt(condition, "type") === type);
}
