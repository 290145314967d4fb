import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, textAt } from "../../model/json.ts";

/** A metav1.Condition of the insight. */
export type UpdatingCondition = {
  readonly type: "Updating";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: "ClusterVersionProgressing" | "ClusterVersionNotProgressing" | "CannotDetermineUpdating";
  readonly message: string;
  readonly lastTransitionTime: string;
};

const MAX_MESSAGE_LENGTH = 32_768;

/** Derived from the condition Progressing, with its transition time. */
export function buildUpdatingCondition(clusterVersion: JsonObject): UpdatingCondition {
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
