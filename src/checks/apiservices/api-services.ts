import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, at, isObject, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { getAge } from "../../model/time.ts";

/** An API that another server serves, with its condition Available. */
export type ApiService = {
  readonly object: ObjectRef;
  /** "" without the condition. */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** The time of the condition's last transition; without one, the object's creation. */
  readonly since: string;
};

const MAX_MESSAGE_LENGTH = 300;

/** The API server itself serves the APIs without a Service. */
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

/** How long a server may be away before that is a risk: a single pod on a lost node is replaced after six minutes. */
const GRACE_PERIOD_MS = 10 * 60_000;

export type ApiServiceVerdict = "available" | "down" | "restarting" | "notReported";

export function judgeApiService({ status, since }: ApiService, now: Date): ApiServiceVerdict {
  if (status === "True") return "available";
  if ((getAge(since, now) ?? GRACE_PERIOD_MS) < GRACE_PERIOD_MS) return "restarting";
  return status === "False" ? "down" : "notReported";
}
