import { isObject, type JsonObject, listAt, textAt } from "../model/json.ts";

/** Percent of the last update that is done: what the operator itself says of it, since it alone counts the manifests. */
export function completionOf(clusterVersion: JsonObject): number {
  const [last] = listAt(clusterVersion, "status", "history");
  if (textAt(last, "state") === "Completed") return 100;
  const said = listAt(clusterVersion, "status", "conditions")
    .filter(isObject)
    .filter((condition) => textAt(condition, "type") === "Progressing")
    .map((condition) => /\((\d{1,3})% complete\)/.exec(textAt(condition, "message") ?? "")?.[1]);
  return Math.min(Number(said[0] ?? 0), 100);
}
