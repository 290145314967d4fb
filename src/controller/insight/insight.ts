import { type Json, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { findCondition } from "../../model/conditions.ts";
import { defined } from "../../model/optional.ts";

/** The state of the last update in one word. */
type Assessment = "Unknown" | "Progressing" | "Completed" | "Degraded";

/** The status insight about ClusterVersion version. Times are RFC 3339, copied from ClusterVersion. */
type ClusterVersionInsight = {
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

/** `Installation`: the cluster was installed with this version. `Partial`: the update never completed. */
type VersionMetadata =
  | { readonly key: "Installation" | "Partial" }
  | { readonly key: "Architecture"; readonly value: string };

type InsightVersion = { readonly version: string; readonly metadata?: readonly VersionMetadata[] };

/** `previous` is absent if the cluster was never updated. */
type InsightVersions = { readonly previous?: InsightVersion; readonly target: InsightVersion };

/** The newest entry of the history is the target, the entry before it the previous version. */
function buildInsightVersions(clusterVersion: JsonObject): InsightVersions {
  const [last, previous] = listAt(clusterVersion, "status", "history");
  const desired =
    listAt(clusterVersion, "status", "history").length === 0
      ? textAt(clusterVersion, "status", "desired", "version")
      : undefined;
  const architecture = buildArchitectureMetadata(clusterVersion);
  const target = buildInsightVersion(textAt(last, "version") ?? desired ?? "", [
    ...(previous === undefined ? [{ key: "Installation" } as const] : []),
    ...architecture,
  ]);
  return previous === undefined
    ? { target }
    : { previous: buildInsightVersion(textAt(previous, "version") ?? "", buildPartialMetadata(previous)), target };
}

function buildInsightVersion(version: string, metadata: readonly VersionMetadata[]): InsightVersion {
  return { version, ...(metadata.length === 0 ? {} : { metadata }) };
}

function buildPartialMetadata(entry: Json): readonly VersionMetadata[] {
  return textAt(entry, "state") === "Partial" ? [{ key: "Partial" }] : [];
}

function buildArchitectureMetadata(clusterVersion: JsonObject): readonly VersionMetadata[] {
  const value = textAt(clusterVersion, "status", "desired", "architecture");
  return value === undefined || value === "" ? [] : [{ key: "Architecture", value }];
}

/** A metav1.Condition of the insight. */
type UpdatingCondition = {
  readonly type: "Updating";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: "ClusterVersionProgressing" | "ClusterVersionNotProgressing" | "CannotDetermineUpdating";
  readonly message: string;
  readonly lastTransitionTime: string;
};

const MAX_MESSAGE_LENGTH = 32_768;

/** Derived from the condition Progressing, with its transition time. */
function buildUpdatingCondition(clusterVersion: JsonObject): UpdatingCondition {
  const progressing = findCondition(clusterVersion, "Progressing");
  const since =
    textAt(progressing, "lastTransitionTime") ?? textAt(clusterVersion, "metadata", "creationTimestamp") ?? NEVER;
  const { state, ...verdict } = judgeProgressing(progressing);
  const message = formatMessage(state, textAt(progressing, "message") ?? "");
  return { type: "Updating", ...verdict, message, lastTransitionTime: since };
}

type ProgressVerdict = Pick<UpdatingCondition, "status" | "reason"> & { readonly state: string };

function judgeProgressing(progressing: JsonObject | undefined): ProgressVerdict {
  const status = textAt(progressing, "status");
  if (status === "True") return { status, reason: "ClusterVersionProgressing", state: "is progressing" };
  if (status === "False") return { status, reason: "ClusterVersionNotProgressing", state: "is not progressing" };
  const state =
    progressing === undefined
      ? "does not have the condition Progressing"
      : `has a condition Progressing that is ${status ?? "neither"}`;
  return { status: "Unknown", reason: "CannotDetermineUpdating", state };
}

/** The required transition time for an object that did not come from an API server. */
const NEVER = "1970-01-01T00:00:00Z";

function formatMessage(state: string, operatorMessage: string): string {
  return `ClusterVersion ${state}${operatorMessage === "" ? "" : `: ${operatorMessage}`}`.slice(0, MAX_MESSAGE_LENGTH);
}
