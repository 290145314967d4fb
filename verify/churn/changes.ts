import { isObject, type Json, type JsonObject, objectAt, parseObject } from "../../src/model/json.ts";

/** Where two versions of an object differ, apart from what the API server counts and records itself. */
export function listChangedPaths(before: JsonObject, after: JsonObject): readonly string[] {
  const then = flatten(withoutRecords(before));
  const now = flatten(withoutRecords(after));
  return [...new Set([...then.keys(), ...now.keys()])].filter((path) => then.get(path) !== now.get(path));
}

/** Each value with its path. A text that is a JSON object is one too, as in the keys of a ConfigMap. */
export function flatten(value: Json, path = ""): ReadonlyMap<string, string> {
  const inner = typeof value === "string" && value.startsWith("{") ? parseObject(value) : undefined;
  const whole = inner ?? value;
  if (typeof whole !== "object" || whole === null) return new Map([[path, JSON.stringify(whole)]]);
  return new Map(Object.entries(whole).flatMap(([key, one]) => [...flatten(one, `${path}/${key}`)]));
}

export function isTransitionTime(path: string): boolean {
  return path.endsWith("/lastTransitionTime");
}

function withoutRecords(object: JsonObject): JsonObject {
  const {
    managedFields: _fields,
    resourceVersion: _version,
    generation: _generation,
    ...metadata
  } = objectAt(object, "metadata");
  return isObject(object) ? { ...object, metadata } : object;
}
