import type { Json, JsonObject } from "../../model/json.ts";
import { listAt, textAt } from "../../model/json.ts";
import { findCondition } from "../../model/conditions.ts";
import { buildUpdatingCondition, type UpdatingCondition } from "./updating-condition.ts";
import { type InsightVersions, buildInsightVersions } from "./insight-versions.ts";
import { defined } from "../../model/optional.ts";

/** The state of the last update in one word. */
export type Assessment = "Unknown" | "Progressing" | "Completed" | "Degraded";

/** The status insight about ClusterVersion version. Times are RFC 3339, copied from ClusterVersion. */
export type ClusterVersionInsight = {
  readonly resource: { readonly group: string; readonly resource: string; readonly name: string };
  readonly conditions: readonly UpdatingCondition[];
  readonly versions: InsightVersions;
  readonly assessment: Assessment;
  /** Percent, 0 to 100. */
  readonly completion: number;
  readonly startedAt?: string;
  readonly completedAt?: string;
};

/** Describes the last update, running or completed. A pure function of the object. */
export function buildInsight(clusterVersion: JsonObject): ClusterVersionInsight {
  const [last] = listAt(clusterVersion, "status", "history");
  const updating = buildUpdatingCondition(clusterVersion);
  const [startedAt, completedAt] = [textAt(last, "startedTime"), textAt(last, "completionTime")];
  return {
    resource: {
      group: "config.openshift.io",
      resource: "clusterversions",
      name: textAt(clusterVersion, "metadata", "name") ?? "",
    },
    conditions: [updating],
    versions: buildInsightVersions(clusterVersion),
    assessment: assess(clusterVersion, updating, last),
    completion: getCompletion(clusterVersion),
    ...defined({ startedAt }),
    ...(completedAt === undefined || updating.status === "True" ? {} : { completedAt }),
  };
}

function assess(clusterVersion: JsonObject, updating: UpdatingCondition, last: Json | undefined): Assessment {
  if (updating.status === "Unknown") return "Unknown";
  if (updating.status === "False") return textAt(last, "state") === "Completed" ? "Completed" : "Unknown";
  return isFailing(clusterVersion) ? "Degraded" : "Progressing";
}

function isFailing(clusterVersion: JsonObject): boolean {
  return textAt(findCondition(clusterVersion, "Failing"), "status") === "True";
}

/** Percent of the last update, as the operator reports it: only the operator counts manifests. */
function getCompletion(clusterVersion: JsonObject): number {
  const [last] = listAt(clusterVersion, "status", "history");
  if (textAt(last, "state") === "Completed") return 100;
  const message = textAt(findCondition(clusterVersion, "Progressing"), "message") ?? "";
  return Math.min(Number(/\((\d{1,3})% complete\)/.exec(message)?.[1] ?? 0), 100);
}
