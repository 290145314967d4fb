import { type JsonObject, listAt, textAt } from "../../model/json.ts";

/** The state of the cluster's last update. `unknown`: ClusterVersion doesn't report it. */
export type Rollout =
  | { readonly kind: "completed"; readonly version: string }
  | { readonly kind: "underWay"; readonly version: string }
  | { readonly kind: "unknown" };

/** The newest entry of ClusterVersion's history comes first. */
export function keepRollout(clusterVersion: JsonObject): Rollout {
  const [last] = listAt(clusterVersion, "status", "history");
  const version = textAt(last, "version");
  if (!version) return { kind: "unknown" };
  return { kind: textAt(last, "state") === "Completed" ? "completed" : "underWay", version };
}
