import { type Json, type JsonObject, isObject } from "../model/json.ts";

/** Applies a JSON merge patch (RFC 7396) like an API server, but ignores its precondition. */
export function applyMergePatch(object: JsonObject, patch: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...object };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isObject(value) ? applyMergePatch(getObject(object, key), value) : value;
  }
  return result;
}

function getObject(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}
