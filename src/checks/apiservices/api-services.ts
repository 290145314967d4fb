import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, at, isObject, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { getAge } from "../../model/time.ts";

/** An API that another server serves, and what its condition Available says. */
export type ApiService = {
  readonly object: ObjectRef;
  /** "" where there is no condition. */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** When the condition last changed, or where there is none when the object was made. */
  readonly since: string;
};

const MAX_MESSAGE_LENGTH = 300;

/** APIs without a Service are the API server's own. */
export function keepApiService(object: JsonObject): ApiService | undefined {
  if (!isObject(at(object, "spec", "service"))) return undefined;
  const condition = findCondition(object, "Available");
  return {
    object: {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      name: textAt(object, "metadata", "name") ?? "",
    },
    status: textAt(condition, "status") ?? "",
    reason: textAt(condition, "reason") ?? "",
    message: (textAt(condition, "message") ?? "").slice(0, MAX_MESSAGE_LENGTH),
    since: textAt(condition, "lastTransitionTime") ?? textAt(object, "metadata", "creationTimestamp") ?? "",
  };
}

/** How long a server may take to come back before its absence counts; the only pod of a node that is lost takes six minutes. */
const GRACE_PERIOD_MS = 10 * 60_000;

export type ApiServiceVerdict = "available" | "down" | "restarting" | "notSaid";

export function judgeApiService({ status, since }: ApiService, now: Date): ApiServiceVerdict {
  if (status === "True") return "available";
  if ((getAge(since, now) ?? GRACE_PERIOD_MS) < GRACE_PERIOD_MS) return "restarting";
  return status === "False" ? "down" : "notSaid";
}
