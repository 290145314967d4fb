import type { Edit } from "../lift/objects/cluster-version-edit.ts";
import { formatCanonicalJson, isObject, type Json, type JsonObject, objectAt, textAt } from "../model/json.ts";
import type { ApiWrite } from "../cluster/writer/api-client.ts";
import { CONFIG_MAPS, FIELD_MANAGER } from "./api/api-paths.ts";

/** One write. A crash may follow any of them: the next reconciliation plans whatever is missing. */
export type Action = {
  readonly kind: "runner" | "result" | "history" | "conditions" | "status" | "mode" | "request";
  /** For the log: "apply the runner's Deployment". */
  readonly description: string;
  readonly write: ApiWrite;
};

const MERGE_PATCH = "application/merge-patch+json";
const APPLY_PATCH = "application/apply-patch+yaml";
const FIELD_MANAGER_QUERY = `fieldManager=${FIELD_MANAGER}`;

/** Server-side apply: takes ownership of every field it names. */
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

/** Deletes only the object that was observed, never a replacement of the same name. */
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

/** Sets our keys of a ConfigMap and leaves other keys alone; fails with a conflict if the ConfigMap changed in between. */
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
  const before = objectAt(present, "data");
  const after = objectAt(desired, "data");
  const data = Object.fromEntries(ourKeys.map((key) => [key, after[key] ?? null]));
  if (ourKeys.every((key) => (before[key] ?? null) === data[key])) return [];
  const resourceVersion = textAt(present, "metadata", "resourceVersion") ?? "";
  const name = textAt(desired, "metadata", "name") ?? "";
  return [buildPatchAction(kind, description, `${CONFIG_MAPS}/${name}`, { metadata: { resourceVersion }, data })];
}

/**
 * A patch built by src/lift, as an action. Strict validation makes an API server that lacks a field refuse the whole patch; otherwise it
 * would drop the mode and keep the target, which starts an update.
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

/** Whether an object contains every desired field; fields added by the API server don't matter. */
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
