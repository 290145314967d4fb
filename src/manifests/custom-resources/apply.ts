import { type Json, type JsonObject, isObject, parseObject, textAt } from "../../model/json.ts";
import { LAST_APPLIED } from "../../model/object.ts";

/**
 * What "kubectl apply" makes of a stored custom resource (jsonmergepatch.CreateThreeWayJSONMergePatch): what the manifest has, what was
 * applied before and it no longer has is gone, and the rest stays. Lists are replaced as a whole.
 */
export function applyManifest(manifest: JsonObject, stored: JsonObject): JsonObject {
  const before = parseObject(textAt(stored, "metadata", "annotations", LAST_APPLIED) ?? "") ?? {};
  return merge(manifest, before, stored);
}

function merge(manifest: JsonObject, before: JsonObject, stored: JsonObject): JsonObject {
  const kept = Object.entries(stored).filter(([key]) => Object.hasOwn(manifest, key) || !Object.hasOwn(before, key));
  const written = Object.entries(manifest).flatMap(([key, value]): readonly (readonly [string, Json])[] =>
    // In a patch, null removes a field.
    value === null ? [] : [[key, mergeValue(value, before[key], stored[key])]],
  );
  const removed = new Set(Object.keys(manifest).filter((key) => manifest[key] === null));
  return Object.fromEntries([...kept.filter(([key]) => !removed.has(key)), ...written]);
}

function mergeValue(value: Json, before: Json | undefined, stored: Json | undefined): Json {
  if (!isObject(value)) return value;
  return merge(value, isObject(before) ? before : {}, isObject(stored) ? stored : {});
}
