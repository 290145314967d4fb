import { type JsonObject, at, flagAt, textAt, objectsAt } from "../../model/json.ts";

export function hasEnded(pod: JsonObject): boolean {
  const phase = textAt(pod, "status", "phase");
  return phase === "Succeeded" || phase === "Failed";
}

/** A pod that has ended or is being deleted needs nothing any more, or soon won't. */
export function isGone(pod: JsonObject): boolean {
  return hasEnded(pod) || at(pod, "metadata", "deletionTimestamp") !== undefined;
}

/** The owner that creates the pod anew. */
export function findController(pod: JsonObject): JsonObject | undefined {
  return objectsAt(pod, "metadata", "ownerReferences").find((owner) => flagAt(owner, "controller"));
}
