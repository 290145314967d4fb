import type { Json, JsonObject } from "../model/json.ts";
import { listAt, textAt } from "../model/json.ts";
import { conditionOf } from "../model/conditions.ts";
import { completionOf } from "./completion.ts";
import { updatingOf, type Updating } from "./updating.ts";
import { type Versions, versionsOf } from "./versions.ts";

/** How an update is doing: one word. */
export type Assessment = "Unknown" | "Progressing" | "Completed" | "Degraded";

/** What a status insight says of ClusterVersion version. Times are RFC 3339, as ClusterVersion has them. */
export type ClusterVersionInsight = {
  readonly resource: { readonly group: string; readonly resource: string; readonly name: string };
  readonly conditions: readonly Updating[];
  readonly versions: Versions;
  readonly assessment: Assessment;
  /** Percent, 0 to 100. */
  readonly completion: number;
  readonly startedAt?: string;
  readonly completedAt?: string;
};

/**
 * What ClusterVersion says of its last update, running or done. Everything follows from the object, so that the same object gives
 * the same insight.
 */
export function insightOf(clusterVersion: JsonObject): ClusterVersionInsight {
  const [last] = listAt(clusterVersion, "status", "history");
  const updating = updatingOf(clusterVersion);
  const [startedAt, completedAt] = [textAt(last, "startedTime"), textAt(last, "completionTime")];
  return {
    resource: {
      group: "config.openshift.io",
      resource: "clusterversions",
      name: textAt(clusterVersion, "metadata", "name") ?? "",
    },
    conditions: [updating],
    versions: versionsOf(clusterVersion),
    assessment: assessmentOf(clusterVersion, updating, last),
    completion: completionOf(clusterVersion),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(completedAt === undefined || updating.status === "True" ? {} : { completedAt }),
  };
}

function assessmentOf(clusterVersion: JsonObject, updating: Updating, last: Json | undefined): Assessment {
  if (updating.status === "Unknown") return "Unknown";
  if (updating.status === "False") return textAt(last, "state") === "Completed" ? "Completed" : "Unknown";
  return isFailing(clusterVersion) ? "Degraded" : "Progressing";
}

function isFailing(clusterVersion: JsonObject): boolean {
  return textAt(conditionOf(clusterVersion, "Failing"), "status") === "True";
}
