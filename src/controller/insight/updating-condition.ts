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
  const operatorMessage = textAt(progressing, "message") ?? "";
  const condition = { type: "Updating", lastTransitionTime: since } as const;
  const status = textAt(progressing, "status");
  if (status === "True")
    return {
      ...condition,
      status,
      reason: "ClusterVersionProgressing",
      message: formatMessage("is progressing", operatorMessage),
    };
  if (status === "False")
    return {
      ...condition,
      status,
      reason: "ClusterVersionNotProgressing",
      message: formatMessage("is not progressing", operatorMessage),
    };
  const why =
    progressing === undefined
      ? "does not have the condition Progressing"
      : `has a condition Progressing that is ${status ?? "neither"}`;
  return {
    ...condition,
    status: "Unknown",
    reason: "CannotDetermineUpdating",
    message: formatMessage(why, operatorMessage),
  };
}

/** The required transition time for an object that did not come from an API server. */
const NEVER = "1970-01-01T00:00:00Z";

function formatMessage(state: string, operatorMessage: string): string {
  return `ClusterVersion ${state}${operatorMessage === "" ? "" : `: ${operatorMessage}`}`.slice(0, MAX_MESSAGE_LENGTH);
}
