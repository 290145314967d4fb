import { findCondition } from "../../model/conditions.ts";
import { compareText, type Json, type JsonObject, listAt, textAt } from "../../model/json.ts";

/** A metav1.Condition of the insight. */
export type UpdatingCondition = {
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
export function buildUpdatingCondition(clusterVersion: JsonObject): UpdatingCondition {
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
