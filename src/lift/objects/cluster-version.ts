import { type JsonObject, at, listAt, textAt } from "../../model/json.ts";

/** The version that the cluster runs: the last completed update, as the runner reads it. */
export function getSourceVersion(clusterVersion: JsonObject): string | undefined {
  const completed = listAt(clusterVersion, "status", "history").find((entry) => textAt(entry, "state") === "Completed");
  return textAt(completed, "version") ?? textAt(clusterVersion, "status", "desired", "version");
}

/** Is an update (or the installation) under way? No preflight's result holds during one. */
export function isUpdating(clusterVersion: JsonObject): boolean {
  return textAt(clusterVersion, "status", "history", 0, "state") === "Partial";
}

/** The names of the risks that the administrator accepts, as they stand in spec.desiredUpdate.acceptRisks. */
export function getAcceptedRisks(clusterVersion: JsonObject): readonly string[] {
  return listAt(clusterVersion, "spec", "desiredUpdate", "acceptRisks").flatMap((one) => textAt(one, "name") ?? []);
}

/** For a write that fails where somebody else has written in between. */
export function buildOptimisticLock(object: JsonObject): JsonObject {
  const resourceVersion = at(object, "metadata", "resourceVersion");
  return typeof resourceVersion === "string" ? { metadata: { resourceVersion } } : {};
}
