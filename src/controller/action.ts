import type { Edit } from "../lift/objects/edit.ts";
import { formatCanonicalJson, isObject, type Json, type JsonObject, objectAt, textAt } from "../model/json.ts";
import type { ApiWrite } from "../cluster/writer/api-client.ts";
import { CONFIG_MAPS, FIELD_MANAGER } from "./api/api-paths.ts";

/** One write. Each can be the last before a crash: what is left is found and done at the next look. */
export type Action = {
  readonly kind: "runner" | "result" | "history" | "conditions" | "status" | "mode" | "request";
  /** For the log: "make the runner's Deployment". */
  readonly description: string;
  readonly write: ApiWrite;
};

const MERGE_PATCH = "application/merge-patch+json";
const APPLY_PATCH = "application/apply-patch+yaml";
const FIELD_MANAGER_QUERY = `fieldManager=${FIELD_MANAGER}`;

/** Server-side apply: what it names is ours, whoever wrote it last. */
export function buildApplyAction(kind: Action["kind"], description: string, path: string, body: JsonObject): Action {
  const write: ApiWrite = {
    method: "PATCH",
    path: `${path}?${FIELD_MANAGER_QUERY}&force=true`,
    body,
    type: APPLY_PATCH,
  };
  return { kind, description, write };
}

export function buildPatchAction(kind: Action["kind"], description: string, path: string, body: JsonObject): Action {
  return {
    kind,
    description,
    write: { method: "PATCH", path: `${path}?${FIELD_MANAGER_QUERY}`, body, type: MERGE_PATCH },
  };
}

export function buildReplaceAction(kind: Action["kind"], description: string, path: string, body: JsonObject): Action {
  return { kind, description, write: { method: "PUT", path: `${path}?${FIELD_MANAGER_QUERY}`, body } };
}

/** Deletes that very object as it was seen, and none that took its place. */
export function buildDeleteAction(
  kind: Action["kind"],
  description: string,
  path: string,
  preconditions: JsonObject,
): Action {
  const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background", preconditions };
  return { kind, description, write: { method: "DELETE", path, body } };
}

export function buildUidPrecondition(object: JsonObject): JsonObject {
  const uid = textAt(object, "metadata", "uid");
  return uid === undefined ? {} : { uid };
}

/** Brings our keys of a ConfigMap to what is wanted; other keys stay, and a write of somebody else in between makes it fail. */
export function buildConfigMapActions(
  kind: Action["kind"],
  description: string,
  present: JsonObject | undefined,
  desired: JsonObject,
  ourKeys: readonly string[],
): readonly Action[] {
  if (!present)
    return [
      { kind, description, write: { method: "POST", path: `${CONFIG_MAPS}?${FIELD_MANAGER_QUERY}`, body: desired } },
    ];
  const [before, after] = [objectAt(present, "data"), objectAt(desired, "data")];
  const data = Object.fromEntries(ourKeys.map((key) => [key, after[key] ?? null]));
  if (ourKeys.every((key) => (before[key] ?? null) === data[key])) return [];
  const resourceVersion = textAt(present, "metadata", "resourceVersion") ?? "";
  const name = textAt(desired, "metadata", "name") ?? "";
  return [buildPatchAction(kind, description, `${CONFIG_MAPS}/${name}`, { metadata: { resourceVersion }, data })];
}

/**
 * A patch that src/lift has made, as an action. An API server that doesn't know one of its fields refuses it whole, where it would
 * otherwise drop the field and keep the rest: a target without its mode.
 */
export function buildEditActions(
  kind: Action["kind"],
  description: string,
  path: string,
  edit: Edit,
): readonly Action[] {
  if (edit.kind !== "patch") return [];
  const { write } = buildPatchAction(kind, description, path, edit.patch);
  return [{ kind, description, write: { ...write, path: `${write.path}&fieldValidation=Strict` } }];
}

/** Does an object say everything that is wanted? What the API server adds to it doesn't count. */
export function isSupersetOf(present: Json | undefined, desired: Json): boolean {
  if (isObject(desired)) {
    if (!isObject(present)) return false;
    return Object.entries(desired).every(([key, value]) => isSupersetOf(present[key], value));
  }
  if (!Array.isArray(desired)) return present === desired;
  if (!Array.isArray(present) || present.length !== desired.length) return false;
  return desired.every((item, i) => isSupersetOf(present[i], item));
}

export function isDeepEqual(a: Json, b: Json): boolean {
  return formatCanonicalJson(a) === formatCanonicalJson(b);
}
