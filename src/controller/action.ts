import type { Edit } from "../lift/edit.ts";
import { canonical, isObject, type Json, type JsonObject, objectAt, textAt } from "../model/json.ts";
import type { Change } from "./api.ts";
import { CONFIG_MAPS, FIELD_MANAGER } from "./places.ts";

/** One write. Each can be the last before a crash: what is left is found and done at the next look. */
export type Action = {
  readonly kind: "runner" | "result" | "history" | "conditions" | "status" | "mode" | "request";
  /** For the log: "make the runner's Deployment". */
  readonly what: string;
  readonly change: Change;
};

const MERGE_PATCH = "application/merge-patch+json";
const APPLY_PATCH = "application/apply-patch+yaml";
const AS_US = `fieldManager=${FIELD_MANAGER}`;

/** Server-side apply: what it names is ours, whoever wrote it last. */
export function applying(kind: Action["kind"], what: string, path: string, body: JsonObject): Action {
  const change: Change = { method: "PATCH", path: `${path}?${AS_US}&force=true`, body, type: APPLY_PATCH };
  return { kind, what, change };
}

export function patching(kind: Action["kind"], what: string, path: string, body: JsonObject): Action {
  return { kind, what, change: { method: "PATCH", path: `${path}?${AS_US}`, body, type: MERGE_PATCH } };
}

export function replacing(kind: Action["kind"], what: string, path: string, body: JsonObject): Action {
  return { kind, what, change: { method: "PUT", path: `${path}?${AS_US}`, body } };
}

/** Deletes that very object as it was seen, and none that took its place. */
export function deleting(kind: Action["kind"], what: string, path: string, preconditions: JsonObject): Action {
  const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background", preconditions };
  return { kind, what, change: { method: "DELETE", path, body } };
}

export function uidOf(object: JsonObject): JsonObject {
  const uid = textAt(object, "metadata", "uid");
  return uid === undefined ? {} : { uid };
}

/** Brings our keys of a ConfigMap to what is wanted; other keys stay, and a write of somebody else in between makes it fail. */
export function savingConfigMap(
  kind: Action["kind"],
  what: string,
  present: JsonObject | undefined,
  wanted: JsonObject,
  ourKeys: readonly string[],
): readonly Action[] {
  if (!present) return [{ kind, what, change: { method: "POST", path: `${CONFIG_MAPS}?${AS_US}`, body: wanted } }];
  const [before, after] = [objectAt(present, "data"), objectAt(wanted, "data")];
  const data = Object.fromEntries(ourKeys.map((key) => [key, after[key] ?? null]));
  if (ourKeys.every((key) => (before[key] ?? null) === data[key])) return [];
  const resourceVersion = textAt(present, "metadata", "resourceVersion") ?? "";
  const name = textAt(wanted, "metadata", "name") ?? "";
  return [patching(kind, what, `${CONFIG_MAPS}/${name}`, { metadata: { resourceVersion }, data })];
}

/**
 * A patch that src/lift has made, as an action. An API server that doesn't know one of its fields refuses it whole, where it would
 * otherwise drop the field and keep the rest: a target without its mode.
 */
export function editing(kind: Action["kind"], what: string, path: string, edit: Edit): readonly Action[] {
  if (edit.kind !== "patch") return [];
  const { change } = patching(kind, what, path, edit.patch);
  return [{ kind, what, change: { ...change, path: `${change.path}&fieldValidation=Strict` } }];
}

/** Does an object say everything that is wanted? What the API server adds to it doesn't count. */
export function says(present: Json | undefined, wanted: Json): boolean {
  if (isObject(wanted)) {
    if (!isObject(present)) return false;
    return Object.entries(wanted).every(([key, value]) => says(present[key], value));
  }
  if (!Array.isArray(wanted)) return present === wanted;
  if (!Array.isArray(present) || present.length !== wanted.length) return false;
  return wanted.every((item, i) => says(present[i], item));
}

export function isSame(a: Json, b: Json): boolean {
  return canonical(a) === canonical(b);
}
