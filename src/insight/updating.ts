import { conditionOf } from "../model/conditions.ts";
import { type JsonObject, textAt } from "../model/json.ts";

/** A condition of the insight, as metav1.Condition. */
export type Updating = {
  readonly type: "Updating";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: "ClusterVersionProgressing" | "ClusterVersionNotProgressing" | "CannotDetermineUpdating";
  readonly message: string;
  readonly lastTransitionTime: string;
};

const LONGEST_MESSAGE = 32_768;

/** Of the condition Progressing, whose time is the time since when this holds. */
export function updatingOf(clusterVersion: JsonObject): Updating {
  const progressing = conditionOf(clusterVersion, "Progressing");
  const since =
    textAt(progressing, "lastTransitionTime") ?? textAt(clusterVersion, "metadata", "creationTimestamp") ?? NEVER;
  const said = textAt(progressing, "message") ?? "";
  const condition = { type: "Updating", lastTransitionTime: since } as const;
  const status = textAt(progressing, "status");
  if (status === "True")
    return { ...condition, status, reason: "ClusterVersionProgressing", message: text("is progressing", said) };
  if (status === "False")
    return { ...condition, status, reason: "ClusterVersionNotProgressing", message: text("is not progressing", said) };
  const why =
    progressing === undefined
      ? "has no condition Progressing"
      : `has a condition Progressing that is ${status ?? "neither"}`;
  return { ...condition, status: "Unknown", reason: "CannotDetermineUpdating", message: text(why, said) };
}

/** A condition must have a time; an object without any came from nobody's API server. */
const NEVER = "1970-01-01T00:00:00Z";

function text(state: string, said: string): string {
  return `ClusterVersion ${state}${said === "" ? "" : `: ${said}`}`.slice(0, LONGEST_MESSAGE);
}
