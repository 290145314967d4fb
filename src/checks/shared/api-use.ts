import { type JsonObject, type Json, listAt, textAt, numberAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** Who wrote an object in versions that the target loses, by its managedFields. */
export type ObjectWriters = {
  readonly object: ObjectRef;
  readonly writers: readonly ObjectWriter[];
  /** The lost version in which the annotation of "kubectl apply" is. */
  readonly appliedVersion?: string;
};

/** A manager's entry in managedFields. `version` is a group and version; `time` is when it last wrote in it. */
export type ObjectWriter = { readonly manager: string; readonly version: string; readonly time: string };

/**
 * Writers in whatever version is served: the API server and storage migrations. "before-first-apply" is no client: it stands for all
 * writers before the first server-side apply.
 */
export const VERSIONLESS_MANAGERS: ReadonlySet<string> = new Set([
  "before-first-apply",
  "kube-apiserver",
  "migrator",
  "storage-version-migrator",
]);

export function listWriters(object: JsonObject): readonly ObjectWriter[] {
  return listAt(object, "metadata", "managedFields").map((entry) => ({
    manager: textAt(entry, "manager") ?? "",
    version: textAt(entry, "apiVersion") ?? "",
    time: textAt(entry, "time") ?? "",
  }));
}

/** Of an hour of an APIRequestCount: the users that the cluster counts by name, which are only the most active ones. */
export function usersOf(hour: Json): readonly Json[] {
  return listAt(hour, "byNode").flatMap((node) => listAt(node, "byUser"));
}

/** Of an hour, or of one of its users. */
export function requestsOf(counted: Json): number {
  return numberAt(counted, "requestCount") ?? 0;
}

/** An hour's requests without those of some of its users. */
export function countOtherRequests(hour: Json, isLeftOut: (user: Json) => boolean = () => true): number {
  return usersOf(hour)
    .filter(isLeftOut)
    .reduce<number>((count, user) => count - requestsOf(user), requestsOf(hour));
}
