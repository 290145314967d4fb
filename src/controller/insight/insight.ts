import { type Json, type JsonObject, listAt, numberAt, textAt, compareText } from "../../model/json.ts";
import { findCondition } from "../../model/object.ts";

/** The state of the last update in one word. */
type Assessment = "Unknown" | "Progressing" | "Completed" | "Degraded";

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

/** Describes the last update, running or completed. `previous` is the insight that was written before. */
export function buildInsight(clusterVersion: JsonObject, previous?: JsonObject): ClusterVersionInsight {
  const [last] = listAt(clusterVersion, "status", "history");
  const updating = buildUpdatingCondition(clusterVersion);
  const startedAt = textAt(last, "startedTime");
  const completedAt = textAt(last, "completionTime");
  return {
    resource: {
      group: "config.openshift.io",
      resource: "clusterversions",
      name: textAt(clusterVersion, "metadata", "name") ?? "",
    },
    conditions: [updating],
    versions: buildInsightVersions(clusterVersion),
    assessment: assess(clusterVersion, updating),
    completion: Math.max(getCompletion(clusterVersion, updating), getEarlierCompletion(last, previous)),
    startedAt,
    ...(completedAt === undefined || updating.status !== "False" ? {} : { completedAt }),
  };
}

function assess(clusterVersion: JsonObject, { status }: UpdatingCondition): Assessment {
  if (status === "Unknown") return "Unknown";
  if (status === "False") return "Completed";
  return textAt(findCondition(clusterVersion, "Failing"), "status") === "True" ? "Degraded" : "Progressing";
}

/** Percent of the last update, as the operator reports it: only the operator counts manifests. */
function getCompletion(clusterVersion: JsonObject, { status }: UpdatingCondition): number {
  if (status !== "True") return status === "False" ? MAX_COMPLETION : 0;
  const message = textAt(findCondition(clusterVersion, "Progressing"), "message") ?? "";
  return Math.min(Number(/\((\d{1,3})% complete\)/.exec(message)?.[1] ?? 0), MAX_COMPLETION);
}

const MAX_COMPLETION = 100;

/** The operator counts from zero again after an error, and names no number beside one. */
function getEarlierCompletion(last: Json | undefined, previous: JsonObject | undefined): number {
  const completion = numberAt(previous, "completion") ?? 0;
  const startedAt = textAt(previous, "startedAt");
  const version = textAt(previous, "versions", "target", "version");
  const isSameUpdate =
    startedAt !== undefined && startedAt === textAt(last, "startedTime") && version === textAt(last, "version");
  return isSameUpdate && Number.isInteger(completion) && completion <= MAX_COMPLETION ? completion : 0;
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
  const history = listAt(clusterVersion, "status", "history");
  const [last, previous] = history;
  const desired = history.length === 0 ? textAt(clusterVersion, "status", "desired", "version") : undefined;
  const architecture = buildArchitectureMetadata(clusterVersion);
  const target = buildInsightVersion(textAt(last, "version") ?? desired ?? "", [
    ...(history.length === 1 ? [{ key: "Installation" } as const] : []),
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

/**
 * Whether the cluster updates: Progressing and the newest entry of the history must agree, or it is unknown.
 * Source: isControlPlaneUpdating in pkg/updatestatus of openshift/cluster-version-operator, before its removal.
 */
function buildUpdatingCondition(clusterVersion: JsonObject): UpdatingCondition {
  const progressing = findCondition(clusterVersion, "Progressing");
  const [last] = listAt(clusterVersion, "status", "history");
  const { state, contradiction, ...verdict } = judgeUpdating(progressing, last);
  const what = contradiction === undefined ? state : `${state}, but ${contradiction}`;
  const message = formatMessage(what, textAt(progressing, "message") ?? "");
  const since =
    textAt(progressing, "lastTransitionTime") ?? textAt(clusterVersion, "metadata", "creationTimestamp") ?? NEVER;
  const lastTransitionTime = contradiction === undefined ? since : findLatest(since, last);
  return { type: "Updating", ...verdict, message, lastTransitionTime };
}

type UpdatingVerdict = Pick<UpdatingCondition, "status" | "reason"> & {
  readonly state: string;
  readonly contradiction?: string;
};

function judgeUpdating(progressing: JsonObject | undefined, last: Json | undefined): UpdatingVerdict {
  const status = textAt(progressing, "status");
  const unknown = { status: "Unknown", reason: "CannotDetermineUpdating" } as const;
  if (progressing === undefined) return { ...unknown, state: "does not have the condition Progressing" };
  if (status !== "True" && status !== "False")
    return { ...unknown, state: `has a condition Progressing that is ${status ?? "neither"}` };
  const state = status === "True" ? "is progressing" : "is not progressing";
  const contradiction = findContradiction(status, last);
  if (contradiction !== undefined) return { ...unknown, state, contradiction };
  return { status, reason: status === "True" ? "ClusterVersionProgressing" : "ClusterVersionNotProgressing", state };
}

/** What the history says against Progressing. */
function findContradiction(progressing: "True" | "False", last: Json | undefined): string | undefined {
  if (last === undefined) return "its history is empty";
  const state = textAt(last, "state") ?? "in no state";
  const isOver = textAt(last, "completionTime") !== undefined;
  if (state !== (progressing === "True" ? "Partial" : "Completed"))
    return `the newest update of its history is ${state}`;
  if (isOver === (progressing === "False")) return undefined;
  return `the newest update of its history has ${isOver ? "a" : "no"} completion time`;
}

/** The two contradict each other since the later of them changed. */
function findLatest(since: string, last: Json | undefined): string {
  const times = [textAt(last, "startedTime"), textAt(last, "completionTime")].filter((time) => time !== undefined);
  return [since, ...times].toSorted(compareText).at(-1) ?? since;
}

/** The required transition time for an object that did not come from an API server. */
const NEVER = "1970-01-01T00:00:00Z";

function formatMessage(state: string, operatorMessage: string): string {
  return `ClusterVersion ${state}${operatorMessage === "" ? "" : `: ${operatorMessage}`}`.slice(0, MAX_MESSAGE_LENGTH);
}
