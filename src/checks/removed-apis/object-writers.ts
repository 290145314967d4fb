import { at, type Json, type JsonObject, listAt, parseObject, textAt } from "../../model/json.ts";
import { LAST_APPLIED } from "../../model/metadata.ts";
import { defined } from "../../model/optional.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { parseTimestamp } from "../../model/time.ts";

/** Who wrote an object in versions that the target removes, and in which version its last applied configuration is. */
export type ObjectWriters = {
  readonly object: ObjectRef;
  readonly writers: readonly ObjectWriter[];
  /** The removed version that the annotation of "kubectl apply" holds. */
  readonly appliedVersion?: string;
};

/** A manager's entry in managedFields. `version` is a group and version; `time` is when it last wrote in it. */
export type ObjectWriter = { readonly manager: string; readonly version: string; readonly time: string };

/**
 * Managers that the update replaces or that write in whatever version is served: those of the control plane, and of storage migrations.
 * "before-first-apply" is no client: it stands for all writers before the first server-side apply.
 */
const OWN_MANAGERS: ReadonlySet<string> = new Set([
  "before-first-apply",
  "cloud-controller-manager",
  "cluster-policy-controller",
  "cluster-version-operator",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubelet",
  "migrator",
  "storage-version-migrator",
]);
/** The API server writes the objects of flow control under names of its own. */
const FLOW_CONTROL_MANAGER = "api-priority-and-fairness-config-";

/** Keeps an object of which somebody's last write was in one of `removed`, groups and versions. A list of metadata doesn't tell its kind. */
export function keepObjectWriters(
  object: JsonObject,
  type: Pick<ObjectRef, "apiVersion" | "kind">,
  removed: ReadonlySet<string>,
): ObjectWriters | undefined {
  const entries = listAt(object, "metadata", "managedFields");
  const writers = entries.flatMap((entry) => findWriter(entry, entries, removed));
  const applied = parseObject(textAt(object, "metadata", "annotations", LAST_APPLIED) ?? "");
  const version = textAt(applied, "apiVersion") ?? "";
  if (writers.length === 0 && !removed.has(version)) return undefined;
  const namespace = textAt(object, "metadata", "namespace");
  const ref = { ...type, ...defined({ namespace }), name: textAt(object, "metadata", "name") ?? "" };
  return { object: ref, writers, ...(removed.has(version) ? { appliedVersion: version } : {}) };
}

function findWriter(entry: Json, entries: readonly Json[], removed: ReadonlySet<string>): readonly ObjectWriter[] {
  const [manager, version] = [textAt(entry, "manager") ?? "", textAt(entry, "apiVersion") ?? ""];
  if (!removed.has(version) || isOwnManager(manager)) return [];
  const hasMoved = entries.some(
    (other) =>
      at(other, "manager") === manager && !removed.has(textAt(other, "apiVersion") ?? "") && isLater(other, entry),
  );
  return hasMoved ? [] : [{ manager, version, time: textAt(entry, "time") ?? "" }];
}

function isOwnManager(manager: string): boolean {
  return OWN_MANAGERS.has(manager) || manager.startsWith(FLOW_CONTROL_MANAGER);
}

/** A write of the same second doesn't prove that the manager has moved. */
function isLater(entry: Json, other: Json): boolean {
  const [time, otherTime] = [parseTimestamp(textAt(entry, "time")), parseTimestamp(textAt(other, "time"))];
  return time !== undefined && (otherTime === undefined || time > otherTime);
}
