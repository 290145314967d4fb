import { findCondition } from "../model/conditions.ts";
import { type JsonObject, listAt, textAt } from "../model/json.ts";

/** Percent of the last update that is done: what the operator itself says of it, since it alone counts the manifests. */
export function getCompletion(clusterVersion: JsonObject): number {
  const [last] = listAt(clusterVersion, "status", "history");
  if (textAt(last, "state") === "Completed") return 100;
  const message = textAt(findCondition(clusterVersion, "Progressing"), "message") ?? "";
  return Math.min(Number(/\((\d{1,3})% complete\)/.exec(message)?.[1] ?? 0), 100);
}
