import { type Json, type JsonObject, textAt } from "../../model/json.ts";
import { formatTime } from "../../model/time.ts";

export const APPLIES = "Applies";
export const RECOMMENDED = "Recommended";

export type ConditionStatus = "True" | "False" | "Unknown";

/** A metav1.Condition. */
export type Condition = {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339 in whole seconds, UTC. */
  readonly lastTransitionTime: string;
};

export type UntimedCondition = Omit<Condition, "lastTransitionTime">;

/** The desired condition, with the present one's transition time if the status is unchanged. */
export function setTransitionTime(present: JsonObject | undefined, desired: UntimedCondition, now: Date): Condition {
  const time = textAt(present, "status") === desired.status ? textAt(present, "lastTransitionTime") : undefined;
  return { ...desired, lastTransitionTime: time ?? formatTime(now) };
}

/** The value with the known transition time, if it is a condition of the same status. */
export function keepTransitionTime(next: JsonObject, known: Json | undefined): JsonObject {
  const time = textAt(known, "lastTransitionTime");
  const isSame = textAt(known, "status") === textAt(next, "status");
  const isTimed = textAt(next, "lastTransitionTime") !== undefined && time !== undefined;
  return isSame && isTimed ? { ...next, lastTransitionTime: time } : next;
}

/** Replaces the condition of the same type in place, or appends it. */
export function setCondition(conditions: readonly Json[], condition: JsonObject): readonly Json[] {
  const type = textAt(condition, "type");
  const isSame = (one: Json): boolean => textAt(one, "type") === type;
  if (!conditions.some(isSame)) return [...conditions, condition];
  return conditions.map((one) => (isSame(one) ? condition : one));
}
