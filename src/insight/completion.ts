import { conditionOf } from "../model/conditions.ts";
import { type JsonObject, listAt, textAt } from "../model/json.ts";

/** Percent of the last update that is done: what the operator itself says of it, since it alone counts the manifests. */
export function completionOf(clusterVersion: JsonObject): number {
  const [last] = listAt(clusterVersion, "status", "history");
  if (textAt(last, "state") === "Completed") return 100;
  const said = textAt(conditionOf(clusterVersion, "Progressing"), "message") ?? "";
  return Math.min(Number(/\((\d{1,3})% complete\)/.exec(said)?.[1] ?? 0), 100);
}
