import { type JsonObject, textAt, objectsAt, type Json, isObject } from "../../model/json.ts";
import { findCondition } from "../../model/conditions.ts";
import { type Condition, setTransitionTime, setCondition } from "../objects/condition.ts";
import { MAX_CONDITION_MESSAGE, truncate } from "../objects/limits.ts";
import { type PreflightState, describeCompleted, describeFailed, describeRunning } from "./condition-contents.ts";

/** Present in ClusterVersion while a preflight is requested. */
export const CONDITION_TYPES = ["PreflightRunning", "PreflightCompleted", "PreflightFailed"] as const;

/** The three conditions of a request; `prefix` begins each message, such as "5.0.3 -> 5.2.0: ". */
export function buildPreflightConditions(
  state: PreflightState,
  prefix: string,
  clusterVersion: JsonObject,
): readonly Condition[] {
  const contents = [describeRunning(state), describeCompleted(state), describeFailed(state)];
  return CONDITION_TYPES.flatMap((type, i) => {
    const content = contents[i];
    if (!content) return [];
    const message = truncate(`${prefix}${content.message}`, MAX_CONDITION_MESSAGE);
    return [setTransitionTime(findCondition(clusterVersion, type), { type, ...content, message }, state.now)];
  });
}

/** The conditions of ClusterVersion that are a preflight's. */
export function selectPreflightConditions(clusterVersion: JsonObject): readonly JsonObject[] {
  return objectsAt(clusterVersion, "status", "conditions").filter(isPreflightCondition);
}

/** Replaces them in place, or removes them if there are no others. */
export function replacePreflightConditions(present: readonly Json[], ours: readonly JsonObject[]): readonly Json[] {
  const kept = ours.length > 0 ? present : present.filter((one) => !isObject(one) || !isPreflightCondition(one));
  return ours.reduce(setCondition, kept);
}

export function isPreflightCondition(condition: JsonObject): boolean {
  return CONDITION_TYPES.some((type) => type === textAt(condition, "type"));
}
