import { type JsonObject, listAt, textAt } from "./json.ts";

/** The version that the cluster runs: that of its last completed update, or of its installation. */
export function findRunningVersion(clusterVersion: JsonObject): string | undefined {
  const history = listAt(clusterVersion, "status", "history");
  const completed = history.find((entry) => textAt(entry, "state") === "Completed");
  return textAt(completed, "version") ?? textAt(clusterVersion, "status", "desired", "version");
}

/** Whether an update or the installation is in progress, which invalidates every preflight's result. */
export function isUpdating(clusterVersion: JsonObject): boolean {
  return textAt(clusterVersion, "status", "history", 0, "state") === "Partial";
}
