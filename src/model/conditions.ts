import { at, isObject, type Json, type JsonObject, listAt, textAt } from "./json.ts";

/** The condition of a type in an object's status, where it has one. */
export function findCondition(object: JsonObject, type: string): JsonObject | undefined {
  return findConditionIn(at(object, "status"), type);
}

/** The same of whatever has conditions of its own, such as a status or a part of one. */
export function findConditionIn(value: Json | undefined, type: string): JsonObject | undefined {
  return listAt(value, "conditions")
    .filter(isObject)
    .find((condition) => textAt(condition, "type") === type);
}
