import { type JsonObject, textAt } from "../model/json.ts";
import { conditionOf } from "../model/conditions.ts";
import { type Condition, since } from "./condition.ts";
import { MAX_CONDITION_MESSAGE, cut } from "./limits.ts";
import { type Situation, completed, failed, running } from "./outcome.ts";

/** Present in ClusterVersion for as long as a preflight is requested, and gone with the request. */
export const CONDITION_TYPES = ["PreflightRunning", "PreflightCompleted", "PreflightFailed"] as const;

/** The three conditions of a request; `about` is what their texts begin with, such as "5.0.3 -> 5.2.0: ". */
export function conditionsOf(situation: Situation, about: string, clusterVersion: JsonObject): readonly Condition[] {
  const said = [running(situation), completed(situation), failed(situation)];
  return CONDITION_TYPES.flatMap((type, i) => {
    const one = said[i];
    if (!one) return [];
    const message = cut(`${about}${one.message}`, MAX_CONDITION_MESSAGE);
    return [since(conditionOf(clusterVersion, type), { type, ...one, message }, situation.now)];
  });
}

export function isOurCondition(condition: JsonObject): boolean {
  return CONDITION_TYPES.some((type) => type === textAt(condition, "type"));
}
